import { once } from 'node:events';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FSWatcher, watch } from 'chokidar';

import { isForbiddenName } from '../../shared/model/portable-name.ts';
import { toSystemCode } from './io-error.ts';

/** Long enough to gather what one save or one unpacked folder causes, short enough to feel at once. */
const QUIET_MS = 80;
/** A tool that never stops writing must not keep everyone waiting. */
const LONGEST_MS = 500;
/** Files may be dated by a coarser clock than ours. */
const CLOCK_STEP_MS = 2000;
/** Between two looks at a folder where the system cannot watch it. */
const POLL_MS = 2000;
/** The system has no watches, or no handles, left. */
const NO_WATCHES = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/**
 * Hears what changes in a project, whoever did it. `root` is the real folder; paths come out relative to it.
 *
 * chokidar rather than `fs.watch` with `recursive`: on Linux that is made of single watches as well, walks into
 * `node_modules` and `.git` before anything can be ignored, and misses files made in the moment their folder appears.
 */
export function createFileWatcher(
  root: string,
  options: {
    visible?: readonly string[];
    onPaths: (paths: string[]) => void;
    /** Called once when the system has no watches left and the folder is looked through at intervals instead. */
    onPolling?: () => void;
    /** Makes a watcher; for tests. */
    watch?: typeof watch;
  },
): { ready: Promise<void>; close(): Promise<void> } {
  const changed = new Set<string>();
  let quiet: NodeJS.Timeout | undefined;
  let longest: NodeJS.Timeout | undefined;

  function toPath(file: string): string {
    return path.relative(root, file).split(path.sep).join('/').normalize('NFC');
  }

  function isClosed(file: string): boolean {
    const [first = '', ...rest] = file.split('/');
    if (isForbiddenName(first) || rest.some(isForbiddenName)) return true;
    return first !== '' && options.visible !== undefined && !options.visible.includes(first);
  }

  function tell(): void {
    clearTimeout(quiet);
    clearTimeout(longest);
    longest = undefined;
    if (changed.size === 0) return;
    const paths = [...changed].sort();
    changed.clear();
    options.onPaths(paths);
  }

  const ends = new AbortController();
  /** Folders whose name another folder may have by now: a watch of the old one hears nothing of the new. */
  const doubtful = new Set<string>();
  let renewing: Promise<void> | undefined;

  function start(): FSWatcher {
    // The root and never a name in it: for a file that is not there chokidar says it is ready before it is.
    const next = (options.watch ?? watch)(root, {
      ...(isPolling && { usePolling: true, interval: POLL_MS, binaryInterval: POLL_MS }),
      ignoreInitial: true,
      // What a link leads to lies elsewhere and is not this project's.
      followSymlinks: false,
      ignored: (file) => isClosed(toPath(file)),
      ignorePermissionErrors: true,
    });
    next.on('all', (event, file) => {
      note(toPath(file));
      if (event === 'unlinkDir') renew(file);
    });
    // A folder that is moved away and made anew at once looks to chokidar like one that was there all along.
    next.on('raw', (event, name, details) => {
      const folder = (details as { watchedPath?: unknown }).watchedPath;
      if (event !== 'rename' || typeof name !== 'string' || typeof folder !== 'string') return;
      const file = path.join(folder, name);
      if (next.getWatched()[file] !== undefined) renew(file);
    });
    next.on('error', (error) => {
      // Anything else concerns one file; what is watched stays watched, and every file is read afresh when opened.
      if (isPolling || !NO_WATCHES.has(toSystemCode(error) ?? '')) return;
      isPolling = true;
      options.onPolling?.();
      // The folder that is never watched: everything is watched anew, and nothing counts as changed because of it.
      renew(path.join(root, '.webgal_agent'));
    });
    next.once('ready', () => tellReady());
    return next;
  }

  function note(changedPath: string): void {
    if (changedPath === '' || changedPath.startsWith('../')) return;
    changed.add(changedPath);
    clearTimeout(quiet);
    quiet = setTimeout(tell, QUIET_MS);
    longest ??= setTimeout(tell, LONGEST_MS);
  }

  function renew(folder: string): void {
    doubtful.add(folder);
    renewing ??= watchAnew().finally(() => {
      renewing = undefined;
    });
  }

  /** Watches everything anew, and tells what changed while nobody watched. */
  async function watchAnew(): Promise<void> {
    while (doubtful.size > 0 && !ends.signal.aborted) {
      await pause(QUIET_MS, undefined, { signal: ends.signal }).catch(() => undefined);
      if (ends.signal.aborted) return;
      const folders = [...doubtful];
      doubtful.clear();
      const since = Date.now() - CLOCK_STEP_MS;
      const before = toFiles(watcher);
      // First, for chokidar shares the system's watches among its watchers, the deaf ones, too.
      await watcher.close();
      watcher = start();
      await Promise.race([becomesReady(watcher), once(ends.signal, 'abort')]);
      const now = toFiles(watcher);
      for (const file of before) if (!now.has(file)) note(toPath(file));
      for (const file of now) {
        const isDoubtful = folders.some((folder) => file.startsWith(folder + path.sep));
        if (isDoubtful || !before.has(file) || (await isYounger(file, since))) note(toPath(file));
      }
    }
  }

  let tellReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    tellReady = resolve;
  });
  let isPolling = false;
  let watcher = start();

  return {
    ready,
    async close() {
      ends.abort();
      await renewing;
      clearTimeout(quiet);
      clearTimeout(longest);
      changed.clear();
      await watcher.close();
    },
  };
}

/** Errors on the way do not matter here: `once` of node would reject with the first of them. */
function becomesReady(watcher: FSWatcher): Promise<void> {
  return new Promise((resolve) => watcher.once('ready', () => resolve()));
}

function toFiles(watcher: FSWatcher): Set<string> {
  const files = new Set<string>();
  for (const [folder, names] of Object.entries(watcher.getWatched())) {
    for (const name of names) files.add(path.join(folder, name));
  }
  return files;
}

/** Whether a file was written, or put in the place of another, after `since`. */
async function isYounger(file: string, since: number): Promise<boolean> {
  const stats = await lstat(file).catch(() => null);
  // Gone again: the new watcher says so.
  return stats !== null && !stats.isDirectory() && Math.max(stats.mtimeMs, stats.ctimeMs) >= since;
}
