import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { copySample } from '../../scripts/copy-sample.ts';
import { type Desktop, handToDesktopUser, toAppEnvironment } from '../support/window/desktop.ts';

const PAGE_TIMEOUT_MS = 60_000;
/** Node's output when it is started with `--inspect`. */
export const INSPECTOR_URL = /Debugger listening on (ws:\S+)/;

/** A program in a window, started for one measurement. */
export interface Started {
  /** Start time of the process on `performance.now`'s clock. */
  startedAt: number;
  page: Page;
  /** The root of the program's process tree. */
  pid: number;
  /** The debugger URL of the first process; null unless the arguments request one. */
  inspectorUrl: string | null;
  /** Disconnects the debugger; the program continues. */
  detach(): Promise<void>;
  stop(): Promise<void>;
}

/** A minimal Electron program: one window with one word and the app's window options. */
const BLANK = `const { app, BrowserWindow } = require('electron');
app.enableSandbox();
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1440, height: 900, show: false, webPreferences: { sandbox: true } });
  window.once('ready-to-show', () => window.show());
  window.loadURL('data:text/html,<!doctype html><title>blank</title><h1>ready</h1>');
});
`;

/** Returns an entry that runs the app and hides its windows on a signal. Its folder replaces the app's on the command line. */
const toHideable = (entry: string) => `import { BrowserWindow } from 'electron';
process.on('SIGUSR2', () => {
  for (const window of BrowserWindow.getAllWindows()) window.hide();
});
await import(${JSON.stringify(pathToFileURL(entry).href)});
`;

/** Folders of one run: a home, the blank program, the hideable app, a copy of the sample. */
export interface DesktopFolders {
  folder: string;
  blank: string;
  hideable: string;
  game: string;
}

export async function createFolders(): Promise<DesktopFolders> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-desktop-'));
  const blank = join(folder, 'blank');
  await mkdir(blank);
  await writeFile(join(blank, 'package.json'), '{"name":"blank","version":"1.0.0","main":"main.js"}');
  await writeFile(join(blank, 'main.js'), BLANK);
  const hideable = join(folder, 'hideable');
  await mkdir(hideable);
  await writeFile(join(hideable, 'package.json'), '{"name":"hideable","version":"1.0.0","main":"main.mjs"}');
  const game = join(folder, 'game');
  await copySample(game);
  handToDesktopUser(folder);
  return { folder, blank, hideable, game };
}

export async function removeFolders({ folder }: DesktopFolders): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Starts a program like a double click and resolves with its page, which may still be loading. */
export async function startProgram(desktop: Desktop, folders: DesktopFolders, args: string[]): Promise<Started> {
  const home = join(folders.folder, 'home');
  const startedAt = performance.now();
  const child = spawn(desktop.program, ['--remote-debugging-port=0', ...args], {
    env: {
      ...process.env,
      ...desktop.env,
      ...toAppEnvironment(home),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const isInspected = args.some((arg) => arg.startsWith('--inspect'));
  const [debuggerUrl, inspectorUrl] = await Promise.all([
    readPrinted(child, 'stderr', /DevTools listening on (\S+)/),
    isInspected ? readPrinted(child, 'stderr', INSPECTOR_URL) : null,
  ]);
  const browser = await chromium.connectOverCDP(debuggerUrl);
  return {
    startedAt,
    page: await findPage(browser),
    pid: child.pid ?? 0,
    inspectorUrl,
    detach: () => browser.close(),
    async stop() {
      await browser.close();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export function startApp(desktop: Desktop, folders: DesktopFolders, args: string[] = []): Promise<Started> {
  return startProgram(desktop, folders, [join(desktop.out, 'main', 'electron.js'), ...args]);
}

/** Starts the app with a function that hides its window without a debugger. */
export async function startHideable(
  desktop: Desktop,
  folders: DesktopFolders,
  args: string[],
): Promise<Started & { hide(): void }> {
  const main = join(folders.hideable, 'main.mjs');
  await writeFile(main, toHideable(join(desktop.out, 'main', 'electron.js')));
  handToDesktopUser(folders.hideable);
  const started = await startProgram(desktop, folders, [main, ...args]);
  return { ...started, hide: () => process.kill(started.pid, 'SIGUSR2') };
}

export function startBlank(desktop: Desktop, folders: DesktopFolders): Promise<Started> {
  return startProgram(desktop, folders, [join(folders.blank, 'main.js')]);
}

/** Returns the ids of all processes of a program, the first one included (Linux). */
function listProcesses(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The name in parentheses may contain any character, so fields are counted after it.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // The process has ended.
    }
  }
  const found = new Set([pid]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const [child, parent] of parents) if (found.has(parent)) found.add(child);
  }
  return [...found];
}

/** Returns the memory of all processes in bytes; shared pages are divided among them (`Pss`). */
export function readMemoryBytes(pid: number): number {
  return sum(listProcesses(pid), (process) => {
    const text = readFileSync(`/proc/${process}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  });
}

/**
 * Returns the share of a core that the processes use within `seconds`, in percent, by kind of process; the largest first. Sampled every
 * second for each process, because the time of an ended process can no longer be read. Throws if the first process has ended.
 */
export async function measureCoreShares(pid: number, seconds: number): Promise<Map<string, number>> {
  const startedAt = performance.now();
  let before = readProcessorTimes(pid);
  const used = new Map<string, number>();
  for (let second = 0; second < seconds; second += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = readProcessorTimes(pid);
    for (const [process, time] of now) {
      const kind = process === pid ? 'main' : readKind(process);
      used.set(kind, (used.get(kind) ?? 0) + time - (before.get(process) ?? 0));
    }
    before = now;
  }
  if (!before.has(pid)) throw new Error('The program ended while it was measured.');
  const elapsed = (performance.now() - startedAt) / 1000;
  return new Map([...used].sort(([, a], [, b]) => b - a).map(([kind, time]) => [kind, (time / elapsed) * 100]));
}

/** Returns the kind of a process of Chromium, as `renderer 4711` (there are several) or `gpu-process`. */
function readKind(process: number): string {
  try {
    const type = /--type=([\w-]+)/.exec(readFileSync(`/proc/${process}/cmdline`, 'utf8'))?.[1] ?? 'other';
    return type === 'renderer' ? `renderer ${process}` : type;
  } catch {
    return 'ended';
  }
}

/** Returns the CPU time of each process since its start, in seconds. The kernel counts in hundredths. */
function readProcessorTimes(pid: number): Map<number, number> {
  const times = new Map<number, number>();
  for (const process of listProcesses(pid)) {
    try {
      const fields = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      times.set(process, (Number(fields[11]) + Number(fields[12])) / 100);
    } catch {
      // The process has ended.
    }
  }
  return times;
}

function sum(processes: readonly number[], read: (process: number) => number): number {
  let total = 0;
  for (const process of processes) {
    try {
      total += read(process);
    } catch {
      // The process has ended.
    }
  }
  return total;
}

/** Resolves to the first group of a pattern in a process's output. Rejects if the process ends or takes too long. */
export function readPrinted(child: ChildProcess, stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`The program did not start.\n${printed}`)), PAGE_TIMEOUT_MS);
    const gather = (chunk: Buffer) => {
      printed += chunk.toString();
      const found = pattern.exec(printed)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      // Keeps reading, so that a full pipe never blocks the process.
      child[stream]?.off('data', gather).resume();
      resolve(found);
    };
    child[stream]?.on('data', gather);
    child.once('exit', (code) => reject(new Error(`The program ended with ${code}.\n${printed}`)));
  });
}

async function findPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (!context) throw new Error('The program has no window.');
  return context.pages()[0] ?? context.waitForEvent('page', { timeout: PAGE_TIMEOUT_MS });
}
