import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ChangeLog } from '../../../shared/model/change-log.ts';
import { isUnportable, toNameFault } from '../../../shared/model/portable-name.ts';
import type { FileInfo, GameChanges } from '../../core/ports.ts';
import { isMissing } from '../files/io-error.ts';
import { createFolderWatches } from './folder-watches.ts';

/** The folder that is cached. */
const TOP = 'game';
/** Games with more entries are not cached but listed from the disk each time. */
const MAX_ENTRIES = 100_000;
/** Maximum duration of a run of blocking calls. */
const MAX_SLICE_MS = 15;
/** A file changed more recently than this may change again without new timestamps: file systems date in steps. */
const RECENT_CHANGE_MS = 2_000;
/** Delay before a folder that could not be cached is tried again. */
const RETRY_MS = 5_000;

/** Thrown where a game contains what is not cached: a mount, an unreadable folder, too many entries. */
class Unusable extends Error {}

interface Entry {
  /** The name on the disk. */
  name: string;
  info: FileInfo;
  /** True when no path of the app can name it. */
  unportable: boolean;
  folder: Folder | null;
  stats: Stats;
  /** When it was last checked, in ms since 1970. */
  seenAt: number;
}

interface Folder {
  /** Project path. */
  path: string;
  absolute: string;
  entries: Map<string, Entry>;
}

/**
 * A cache of the entries of the folder `game`, updated at each call: no answer lacks a change made on the disk before the
 * call. Where the system reports every change (see `createFolderWatches`), pending reports are applied first; elsewhere
 * every file is checked. Nothing is read before the first call.
 */
export interface GameTree {
  /** Does what `Reader.list` does, for a folder in `game`; null where the disk has to be read. */
  list(folder: string, options: { recursive: boolean; unportable: boolean }): Promise<FileInfo[] | null>;
  /** Does what `Reader.changes` does; null where the changes are not known. */
  changes(since: number | null): Promise<GameChanges | null>;
  /** Reports changed paths, debounced. Starts watching the game. */
  watch(listener: (paths: string[]) => void): () => void;
  close(): void;
}

/** Creates the cache. `root` is the project's real folder. */
export function createGameTree(root: string, options: { watches?: typeof createFolderWatches } = {}): GameTree {
  const watches = (options.watches ?? createFolderWatches)(path.join(root, TOP), { onEvent });
  const listeners = new Set<(paths: string[]) => void>();
  const folders = new Map<string, Folder>();
  /** Links, and the absolute paths of files with several hard links: change reports are not reliable for these. */
  const links = new Set<string>();
  const shared = new Map<string, { folder: Folder; name: string }>();
  /** Inode numbers of files found to have a second name, whose other names may have been checked before they got it. */
  const recentlyLinked = new Set<number>();
  /** Absolute folders with the names in them that changes were reported for. */
  const reported = new Map<string, Set<string>>();
  const log = new ChangeLog();
  let top: Stats | null = null;
  let sorted: Entry[] | null = null;
  let count = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  let told = 0;
  let queue: Promise<unknown> = Promise.resolve();
  /** The next update, until it starts. */
  let next: Promise<boolean> | undefined;
  let isClosed = false;

  function onEvent(folder: string, name: string | null): void {
    // The folder itself was moved or removed; another may have its name, and even its inode number.
    if (folder === path.join(root, TOP) && name === TOP) top = null;
    if (name !== null) {
      const names = reported.get(folder) ?? new Set();
      reported.set(folder, names.add(name));
    }
    watches.notifyLater(notify);
  }

  function forget(entry: Entry, absolute: string): void {
    log.add(entry.info.path);
    sorted = null;
    count -= 1;
    links.delete(entry.info.path);
    shared.delete(absolute);
    if (entry.folder === null) return;
    watches.remove(absolute);
    folders.delete(entry.folder.path);
    for (const below of entry.folder.entries.values()) forget(below, path.join(absolute, below.name));
  }

  function enter(folder: Folder, waiting: Folder[]): void {
    folders.set(folder.path, folder);
    // First, so that no change during the read of the folder is missed.
    watches.add(folder.absolute);
    waiting.push(folder);
  }

  /** Checks one name of a folder. `isReported`: a change was reported, whatever its timestamps are. */
  function checkEntry(
    folder: Folder,
    name: string,
    { isReported, waiting }: { isReported: boolean; waiting: Folder[] },
  ) {
    const known = folder.entries.get(name);
    const absolute = path.join(folder.absolute, name);
    const stats = readStats(absolute);
    // A report about a folder's own name means that it was created, removed or replaced, perhaps by one with the same
    // inode number.
    const isOther = stats?.ino !== known?.stats.ino || stats?.isDirectory() !== known?.info.isDirectory;
    if (known && (isOther || (isReported && known.folder))) {
      folder.entries.delete(name);
      forget(known, absolute);
    }
    if (!stats) return;
    const entry = folder.entries.get(name);
    if (entry?.folder) return;
    if (!stats.isDirectory() && !stats.isFile() && !stats.isSymbolicLink()) return;
    const composed = name.normalize('NFC');
    const fault = toNameFault(composed);
    const unportable = fault !== null;
    if (unportable && !(stats.isFile() && isUnportable(name))) return;
    const listed = `${folder.path}/${composed}`;
    if (stats.isSymbolicLink()) links.add(listed);
    if (stats.isFile() && stats.nlink > 1) {
      if (!shared.has(absolute)) recentlyLinked.add(stats.ino);
      shared.set(absolute, { folder, name });
    } else shared.delete(absolute);
    if (entry && !isReported && !hasChanged(entry, stats)) {
      entry.seenAt = Date.now();
      return;
    }
    const info = { path: listed, bytes: stats.isFile() ? stats.size : 0, isDirectory: stats.isDirectory() };
    log.add(listed);
    if (entry) {
      Object.assign(entry, { info, stats, seenAt: Date.now() });
      return;
    }
    count += 1;
    if (count > MAX_ENTRIES || stats.dev !== top?.dev) throw new Unusable();
    sorted = null;
    const added: Entry = { name, info, unportable, folder: null, stats, seenAt: Date.now() };
    folder.entries.set(name, added);
    if (!stats.isDirectory()) return;
    added.folder = { path: listed, absolute, entries: new Map() };
    enter(added.folder, waiting);
  }

  /** Checks everything in these folders and below. */
  async function checkFolders(waiting: Folder[]): Promise<void> {
    let began = performance.now();
    // Parents first: what lies in a removed folder may be gone with it.
    for (let folder = waiting.shift(); folder; folder = waiting.shift()) {
      if (folders.get(folder.path) !== folder) continue;
      for (const name of new Set([...folder.entries.keys(), ...readNames(folder.absolute)])) {
        checkEntry(folder, name, { isReported: false, waiting });
        if (performance.now() - began < MAX_SLICE_MS) continue;
        await nextTurn();
        if (isClosed) throw new Unusable();
        began = performance.now();
      }
    }
  }

  function reset(): void {
    watches.reset();
    folders.clear();
    links.clear();
    shared.clear();
    recentlyLinked.clear();
    reported.clear();
    log.forget();
    sorted = null;
    count = 0;
  }

  /** Applies the reports received so far. */
  async function applyReports(): Promise<void> {
    while (reported.size > 0) {
      const waiting: Folder[] = [];
      const now = [...reported];
      reported.clear();
      const byPlace = new Map([...folders.values()].map((folder) => [folder.absolute, folder]));
      for (const [absolute, names] of now) {
        const folder = byPlace.get(absolute);
        if (folder && folders.get(folder.path) === folder)
          for (const name of names) checkEntry(folder, name, { isReported: true, waiting });
      }
      await checkFolders(waiting);
    }
    findOtherNames();
    for (const { folder, name } of [...shared.values()]) checkEntry(folder, name, { isReported: false, waiting: [] });
  }

  /** Finds the other names of changed files: the system reports a new hard link only under its own name. */
  function findOtherNames(): void {
    if (recentlyLinked.size === 0) return;
    for (const folder of folders.values()) {
      for (const { name, stats } of folder.entries.values()) {
        if (stats.isFile() && recentlyLinked.has(stats.ino))
          shared.set(path.join(folder.absolute, name), { folder, name });
      }
    }
    recentlyLinked.clear();
  }

  /** Updates the cache; false where the game cannot be cached. */
  async function refresh(): Promise<boolean> {
    if (isClosed || Date.now() - failedAt < RETRY_MS) return false;
    try {
      const now = readStats(path.join(root, TOP));
      if (!now?.isDirectory()) throw new Unusable();
      if (now.ino !== top?.ino || now.dev !== top.dev || folders.size === 0) {
        reset();
        top = now;
        const waiting: Folder[] = [];
        enter({ path: TOP, absolute: path.join(root, TOP), entries: new Map() }, waiting);
        await checkFolders(waiting);
        log.forget();
      }
      // Reports of earlier changes are in the system's queue: one turn of the event loop delivers them.
      if (await watches.isComplete()) await applyReports();
      else await checkFolders([...folders.values()]);
      return links.size === 0;
    } catch (error) {
      // Removed during the check, unreadable, or not cacheable.
      reset();
      top = null;
      failedAt = error instanceof Unusable ? Date.now() : Number.NEGATIVE_INFINITY;
      return false;
    }
  }

  /** Runs work one at a time; calls that wait for the same update share it. */
  function runExclusive<T>(work: (isKnown: boolean) => T): Promise<T> {
    if (next === undefined) {
      next = queue.then(() => {
        next = undefined;
        return refresh();
      });
      queue = next;
    }
    return next.then(work);
  }

  function isFile(listed: string): boolean {
    const slash = listed.lastIndexOf('/');
    const entries = folders.get(listed.slice(0, slash))?.entries;
    const name = listed.slice(slash + 1);
    const entry = entries?.get(name);
    if (entry) return !entry.info.isDirectory;
    // The disk may use the decomposed form.
    if (!entries || name === name.normalize('NFD')) return false;
    return [...entries.values()].some(({ info }) => info.path === listed && !info.isDirectory);
  }

  function notify(): void {
    void runExclusive(() => {
      const paths = log.since(told) ?? [...folders.values()].flatMap(toPaths);
      told = log.now;
      if (paths.length > 0) for (const listener of listeners) listener(paths.sort());
    });
  }

  return {
    async list(folder, { recursive, unportable }) {
      // Where every file would have to be checked, listing the one folder is less work.
      if (!watches.isReliable()) return null;
      return runExclusive((isKnown) => {
        const there = folders.get(folder);
        if (!isKnown || !there) return null;
        const isWanted = (entry: Entry) => unportable || !entry.unportable;
        if (!recursive) return toInfos([...there.entries.values()].filter(isWanted).sort(byPath));
        sorted ??= [...folders.values()].flatMap(({ entries }) => [...entries.values()]).sort(byPath);
        // Code units after "/" begin at "0": the entries below the folder are adjacent.
        const below = sorted.slice(findInsertIndex(sorted, `${folder}/`), findInsertIndex(sorted, `${folder}0`));
        return toInfos(below.filter(isWanted));
      });
    },

    changes: (earlier) =>
      runExclusive((isKnown) => {
        if (!isKnown) return null;
        const paths = earlier === null ? null : log.since(earlier);
        return { now: log.now, changes: paths?.map((changed) => ({ path: changed, isFile: isFile(changed) })) ?? null };
      }),

    watch(listener) {
      listeners.add(listener);
      void runExclusive(() => {
        told = Math.max(told, log.now);
        if (listeners.size > 0) watches.notifyAtIntervals(notify);
      });
      return () => {
        listeners.delete(listener);
      };
    },

    close() {
      isClosed = true;
      listeners.clear();
      watches.close();
    },
  };
}

/**
 * Returns undefined when it no longer exists, or when its parent is no folder any more, which `throwIfNoEntry` does not
 * cover.
 */
function readStats(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns no names when the folder no longer exists; the check of its parent detects that, now or next time. */
function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function hasChanged({ stats: before, seenAt }: Entry, now: Stats): boolean {
  if (now.mtimeMs !== before.mtimeMs || now.ctimeMs !== before.ctimeMs || now.size !== before.size) return true;
  return now.isFile() && seenAt - Math.max(now.mtimeMs, now.ctimeMs) < RECENT_CHANGE_MS;
}

/** Returns the index of a path, or where it would be inserted. */
function findInsertIndex(entries: readonly Entry[], wanted: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as Entry).info.path < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toPaths({ entries }: Folder): string[] {
  return [...entries.values()].map(({ info }) => info.path);
}

function toInfos(entries: readonly Entry[]): FileInfo[] {
  return entries.map(({ info }) => info);
}

function byPath({ info: a }: Entry, { info: b }: Entry): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
