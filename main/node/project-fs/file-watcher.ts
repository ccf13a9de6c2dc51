import { type FSWatcher, lstatSync, readdirSync, type Stats, watch } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isForbiddenName } from '../../../shared/model/portable-name.ts';
import { toSystemCode } from '../files/io-error.ts';

/** Long enough to gather the changes of one save or one unpacked folder, short enough to seem immediate. */
const QUIET_MS = 80;
/** Maximum delay of a report while a tool keeps writing. */
const MAX_DELAY_MS = 500;
/** Files may be dated by a coarser clock than the system clock. */
const CLOCK_STEP_MS = 2000;
/** Interval between two scans of a folder that the system cannot watch. */
const POLL_MS = 2000;
/** Maximum duration of a run of blocking calls. */
const MAX_SLICE_MS = 15;
/** The system has no watches or no handles left. */
const NO_WATCHES = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);
/** Far above any game; further folders are not watched. Systems allow 8,192 watches and more. */
const MAX_FOLDERS = 6_000;
const MAX_NAMES = 100_000;

export interface FileWatcherOptions {
  visible?: readonly string[];
  onPaths: (paths: string[]) => void;
  /** Called once when the system has no watches left and the folder is scanned at intervals instead. */
  onPolling?: () => void;
  /** Called once when there are more folders or files than are watched. */
  onLeftOut?: () => void;
  /** For tests. */
  watch?: typeof watch;
  pollMs?: number;
  limits?: { folders: number; names: number };
}

interface Watched {
  watcher: FSWatcher | null;
  /** The entries, and whether each is a folder. */
  names: Map<string, boolean>;
}

/**
 * Creates a watcher that reports changes in a project, whatever program made them. `root` is the real folder; paths are
 * reported relative to it. One watch for each folder: a watch for each file would take seconds to create and use most of
 * the system's watches. Links are not followed: their targets do not belong to the project.
 */
export function createFileWatcher(
  root: string,
  options: FileWatcherOptions,
): { ready: Promise<void>; close(): Promise<void> } {
  const limits = options.limits ?? { folders: MAX_FOLDERS, names: MAX_NAMES };
  const folders = new Map<string, Watched>();
  const changed = new Set<string>();
  /** Absolute folders with the names in them that changed. */
  const touched = new Map<string, Set<string>>();
  const ends = new AbortController();
  let count = 0;
  let isPolling = false;
  let isLeftOut = false;
  let quiet: NodeJS.Timeout | undefined;
  let longest: NodeJS.Timeout | undefined;
  let queue: Promise<void> = Promise.resolve();

  function toPath(file: string): string {
    return path.relative(root, file).split(path.sep).join('/').normalize('NFC');
  }

  function isClosed(folder: string, name: string): boolean {
    const composed = name.normalize('NFC');
    if (isForbiddenName(composed)) return true;
    return folder === root && options.visible !== undefined && !options.visible.includes(composed);
  }

  function leaveOut(): void {
    if (!isLeftOut) options.onLeftOut?.();
    isLeftOut = true;
  }

  function notifyLater(): void {
    clearTimeout(quiet);
    quiet = setTimeout(notify, QUIET_MS);
    longest ??= setTimeout(notify, MAX_DELAY_MS);
  }

  function notify(): void {
    clearTimeout(quiet);
    clearTimeout(longest);
    longest = undefined;
    queue = queue.then(processTouched).then(() => {
      if (changed.size === 0 || ends.signal.aborted) return;
      const paths = [...changed].sort();
      changed.clear();
      options.onPaths(paths);
    });
  }

  function onEvent(folder: string, name: string | null): void {
    if (name === null || isClosed(folder, name)) return;
    const names = touched.get(folder) ?? new Set();
    touched.set(folder, names.add(name));
    notifyLater();
  }

  function onError(error: unknown): void {
    // Any other error concerns one folder; existing watches stay, and every file is read from the disk when opened.
    if (isPolling || ends.signal.aborted || !NO_WATCHES.has(toSystemCode(error) ?? '')) return;
    isPolling = true;
    for (const one of folders.values()) one.watcher?.close();
    options.onPolling?.();
    void poll();
  }

  function watchFolder(folder: string): FSWatcher | null {
    if (isPolling) return null;
    try {
      const watcher = (options.watch ?? watch)(folder, (_, name) => onEvent(folder, name));
      watcher.on('error', onError);
      return watcher;
    } catch (error) {
      onError(error);
      return null;
    }
  }

  /** Reads these folders and all below them. With `isNews` everything in them counts as changed. */
  async function enter(waiting: string[], isNews: boolean): Promise<void> {
    let began = performance.now();
    // Upper levels first, so that a limit on folders does not leave out those of the game.
    for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
      if (ends.signal.aborted) return;
      if (folders.size >= limits.folders || count >= limits.names) return leaveOut();
      leave(folder);
      // First, so that no change during the read of the folder is missed.
      const here: Watched = { watcher: watchFolder(folder), names: new Map() };
      folders.set(folder, here);
      for (const entry of readFolder(folder)) {
        if (isClosed(folder, entry.name)) continue;
        if (count >= limits.names) return leaveOut();
        count += 1;
        const file = path.join(folder, entry.name);
        here.names.set(entry.name, entry.isDirectory());
        if (isNews) changed.add(toPath(file));
        if (entry.isDirectory()) waiting.push(file);
        if (performance.now() - began < MAX_SLICE_MS) continue;
        await nextTurn();
        began = performance.now();
      }
    }
  }

  /** Stops watching a folder and all below it, which count as changed. */
  function leave(folder: string): void {
    const here = folders.get(folder);
    if (!here) return;
    here.watcher?.close();
    folders.delete(folder);
    count -= here.names.size;
    for (const [name, isFolder] of here.names) {
      const file = path.join(folder, name);
      changed.add(toPath(file));
      if (isFolder) leave(file);
    }
  }

  /** Determines what happened to the names that changed. */
  async function processTouched(): Promise<void> {
    const now = [...touched];
    touched.clear();
    const waiting: string[] = [];
    for (const [folder, names] of now) {
      for (const name of names) {
        const file = path.join(folder, name);
        const here = folders.get(folder);
        const stats = readStats(file);
        // A folder also reports itself by its own name; what was created and removed meanwhile is ignored.
        if (!here || (!stats && !here.names.has(name))) continue;
        changed.add(toPath(file));
        // A report about a folder's own name means that it was created, removed or replaced.
        leave(file);
        count += Number(stats !== undefined) - Number(here.names.has(name));
        if (!stats) here.names.delete(name);
        else here.names.set(name, stats.isDirectory());
        if (stats?.isDirectory()) waiting.push(file);
      }
    }
    await enter(waiting, true);
  }

  /** Scans all files at intervals and reports those whose times, sizes or inode numbers changed. */
  async function poll(): Promise<void> {
    const since = Date.now() - CLOCK_STEP_MS;
    let before: Map<string, { mark: string; at: number }> | null = null;
    while (!ends.signal.aborted) {
      const now = new Map<string, { mark: string; at: number }>();
      let began = performance.now();
      const waiting = [root];
      for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
        for (const { name } of readFolder(folder)) {
          if (isClosed(folder, name) || now.size >= limits.names) continue;
          const file = path.join(folder, name);
          const stats = readStats(file);
          if (!stats) continue;
          if (stats.isDirectory()) waiting.push(file);
          const at = stats.isDirectory() ? 0 : Math.max(stats.mtimeMs, stats.ctimeMs);
          now.set(file, { mark: `${at} ${stats.isDirectory() ? '' : stats.size} ${stats.ino}`, at });
          if (performance.now() - began < MAX_SLICE_MS) continue;
          await nextTurn();
          began = performance.now();
        }
      }
      for (const [file, { mark, at }] of now) {
        if (before === null ? at >= since : before.get(file)?.mark !== mark) changed.add(toPath(file));
      }
      for (const file of before?.keys() ?? []) if (!now.has(file)) changed.add(toPath(file));
      before = now;
      if (changed.size > 0) notifyLater();
      await pause(options.pollMs ?? POLL_MS, undefined, { signal: ends.signal }).catch(() => undefined);
    }
  }

  const ready = enter([root], false);
  queue = ready;
  return {
    ready,
    async close() {
      ends.abort();
      await queue;
      clearTimeout(quiet);
      clearTimeout(longest);
      for (const one of folders.values()) one.watcher?.close();
      folders.clear();
    },
  };
}

/** Returns no entries when the folder is gone, unreadable, or has a path too long for the system. */
function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (toSystemCode(error) !== undefined) return [];
    throw error;
  }
}

/** Returns undefined for the same reasons. */
function readStats(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (toSystemCode(error) !== undefined) return undefined;
    throw error;
  }
}
