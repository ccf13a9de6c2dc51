import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isClosed, MAX_SLICE_MS, noteChange, readFolder, readStats, type WatcherState } from './watcher-state.ts';

/** Files may be dated by a coarser clock than the system clock. */
const CLOCK_STEP_MS = 2000;
/** Interval between two scans of a folder that the system cannot watch. */
const POLL_MS = 2000;

/** Each file by absolute path; `mark` differs after a change of its times, size or inode number. */
type Scan = Map<string, { mark: string; at: number }>;

/** Scans all files at intervals and reports those whose times, sizes or inode numbers changed. */
export async function pollFolder(state: WatcherState): Promise<void> {
  const { changed, ends, options } = state;
  const since = Date.now() - CLOCK_STEP_MS;
  let before: Scan | null = null;
  while (!ends.signal.aborted) {
    const now = await scanFolder(state);
    for (const [file, { mark, at }] of now) {
      if (before === null ? at >= since : before.get(file)?.mark !== mark) noteChange(state, file);
    }
    for (const file of before?.keys() ?? []) if (!now.has(file)) noteChange(state, file);
    before = now;
    if (changed.size > 0) state.notifyLater();
    await pause(options.pollMs ?? POLL_MS, undefined, { signal: ends.signal }).catch(() => undefined);
  }
}

async function scanFolder(state: WatcherState): Promise<Scan> {
  const scan: Scan = new Map();
  let began = performance.now();
  const waiting = [state.root];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    for (const { name } of readFolder(folder)) {
      if (isClosed(state, folder, name) || scan.size >= state.limits.names) continue;
      const file = path.join(folder, name);
      const stats = readStats(file);
      if (!stats) continue;
      if (stats.isDirectory()) waiting.push(file);
      const at = stats.isDirectory() ? 0 : Math.max(stats.mtimeMs, stats.ctimeMs);
      scan.set(file, { mark: `${at} ${stats.isDirectory() ? '' : stats.size} ${stats.ino}`, at });
      if (performance.now() - began < MAX_SLICE_MS) continue;
      await nextTurn();
      began = performance.now();
    }
  }
  return scan;
}
