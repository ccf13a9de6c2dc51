import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession } from '@playwright/test';
import type { SoakApp } from './soak-app.ts';

/** Writes heap snapshots of both sides for Chromium's tools to compare: `server-NAME` and `page-NAME.heapsnapshot`. */
export async function writeSnapshots(
  { inspector }: SoakApp,
  session: CDPSession,
  { folder, name }: { folder: string; name: string },
): Promise<void> {
  const path = JSON.stringify(join(folder, `server-${name}.heapsnapshot`));
  await inspector.send('Runtime.evaluate', {
    expression: `process.getBuiltinModule('node:v8').writeHeapSnapshot(${path})`,
  });
  const file = createWriteStream(join(folder, `page-${name}.heapsnapshot`));
  const gather = ({ chunk }: { chunk: string }) => file.write(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', gather);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', gather);
  await new Promise<void>((done) => file.end(() => done()));
}
