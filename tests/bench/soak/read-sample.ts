import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { CDPSession } from '@playwright/test';
import type { SoakApp } from './soak-app.ts';

const MEBIBYTE = 1024 * 1024;

/** Resources of the app at one time, after garbage collection on both sides. Memory in MiB. */
export interface Sample {
  serverHeap: number;
  serverMemory: number;
  /** Open files and folders of the server, without sockets and pipes. */
  openFiles: number;
  /** Active handles of the server, such as timers and sockets. */
  handles: number;
  pageHeap: number;
  nodes: number;
  listeners: number;
}

/** Reads both sides while idle; `session` is a debugger session of the page with `Performance` enabled. */
export async function readSample({ inspector, pid }: SoakApp, session: CDPSession): Promise<Sample> {
  // Twice: objects released by finalizers are freed in the second collection.
  for (let round = 0; round < 2; round += 1) {
    await inspector.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.collectGarbage');
  }
  const { usedSize } = await inspector.send<{ usedSize: number }>('Runtime.getHeapUsage');
  const { result } = await inspector.send<{ result: { value: number } }>('Runtime.evaluate', {
    expression: 'process.getActiveResourcesInfo().length',
  });
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  return {
    serverHeap: usedSize / MEBIBYTE,
    serverMemory: readResidentBytes(pid) / MEBIBYTE,
    openFiles: countOpenFiles(pid),
    handles: result.value,
    pageHeap: metric('JSHeapUsedSize') / MEBIBYTE,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
  };
}

/** Returns the value on Linux, 0 elsewhere. */
function readResidentBytes(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
}

/** Returns the value on Linux, 0 elsewhere. */
function countOpenFiles(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return listOpenFiles(pid).length;
}

/** Returns the paths of a process's open files and folders (Linux). */
function listOpenFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      const target = readlinkSync(`${folder}/${name}`);
      return target.startsWith('/') && !target.startsWith('/dev/') ? [target] : [];
    } catch {
      // The file was closed meanwhile.
      return [];
    }
  });
}
