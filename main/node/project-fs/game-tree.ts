import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ChangeLog } from '../../../shared/model/change-log.ts';
import { isUnportable, toNameFault } from '../../../shared/model/portable-name.ts';
import type { FileInfo, GameChanges } from '../../core/ports.ts';
import { isMissing } from '../files/io-error.ts';
import { createFolderWatches } from './folder-watches.ts';

/** The folder that is kept in mind. */
const TOP = 'game';
/** More entries are not kept in mind: such a game is listed from the disk each time. */
const MOST_ENTRIES = 100_000;
/** Blocking calls at a stretch, in milliseconds. */
const STRETCH_MS = 15;
/** A file whose times are younger than this may change again without their changing: file systems date by steps. */
const YOUNG_MS = 2_000;
/** A folder that cannot be kept in mind is tried again after this, in milliseconds. */
const RETRY_MS = 5_000;

/** Thrown where a game holds what is not kept in mind: a mount, a closed folder, too much. */
class Unusable extends Error {}

interface Entry {
  /** Its name on the disk. */
  name: string;
  info: FileInfo;
  /** No path of the app can name it. */
  unportable: boolean;
  folder: Folder | null;
  stats: Stats;
  /** When it was last looked at, in ms since 1970. */
  seenAt: number;
}

interface Folder {
  /** Project path. */
  path: string;
  absolute: string;
  entries: Map<string, Entry>;
}

/**
 * What lies in a game's folder `game`, kept between calls and brought up to date for each: nothing that changed on the
 * disk before a call is missing from its answer. Where the system reports every change (see `createFolderWatches`), the
 * reports due are taken in first; elsewhere every file is looked at. Nothing is read before the first call.
 */
export interface GameTree {
  /** As `Reader.list`, for a folder in `game`; null where the disk has to be asked. */
  list(folder: string, options: { recursive: boolean; unportable: boolean }): Promise<FileInfo[] | null>;
  /** As `Reader.changes`; null where that is not known. */
  changes(since: number | null): Promise<GameChanges | null>;
  /** Reports paths that changed, gathered over a moment. Begins to look at the game. */
  watch(listener: (paths: string[]) => void): () => void;
  close(): void;
}

/** `root` is the project's real folder. */
export function createGameTree(root: string, options: { watches?: typeof createFolderWatches } = {}): GameTree {
  const watches = (options.watches ?? createFolderWatches)(path.join(root, TOP), { onEvent });
  const listeners = new Set<(paths: string[]) => void>();
  const folders = new Map<string, Folder>();
  /** Links, and by their absolute paths files that go by a second name: no report is to be relied upon for these. */
  const links = new Set<string>();
  const shared = new Map<string, { folder: Folder; name: string }>();
  /** Files (by number) found to have a second name, whose other names may have been looked at before they got it. */
  const justShared = new Set<number>();
  /** Absolute folders with the names in them that something was reported of. */
  const reported = new Map<string, Set<string>>();
  const log = new ChangeLog();
  let top: Stats | null = null;
  let sorted: Entry[] | null = null;
  let count = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  let told = 0;
  let queue: Promise<unknown> = Promise.resolve();
  /** The next turn, as long as it has not begun. */
  let next: Promise<boolean> | undefined;
  let isClosed = false;

  function onEvent(folder: string, name: string | null): void {
    // The folder itself was moved or removed; another may have its name, and even its number.
    if (folder === path.join(root, TOP) && name === TOP) top = null;
    if (name !== null) {
      const names = reported.get(folder) ?? new Set();
      reported.set(folder, names.add(name));
    }
    watches.tellLater(tell);
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
    // First, so that nothing is missed that comes while the folder is read.
    watches.add(folder.absolute);
    waiting.push(folder);
  }

  /** Looks at one name of a folder. `isReported`: something happened to it, whatever its times say. */
  function look(folder: Folder, name: string, { isReported, waiting }: { isReported: boolean; waiting: Folder[] }) {
    const known = folder.entries.get(name);
    const absolute = path.join(folder.absolute, name);
    const stats = lookAt(absolute);
    // What is reported of a folder by its name is that it came, went or was replaced, perhaps by one with its number.
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
      if (!shared.has(absolute)) justShared.add(stats.ino);
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
    if (count > MOST_ENTRIES || stats.dev !== top?.dev) throw new Unusable();
    sorted = null;
    const added: Entry = { name, info, unportable, folder: null, stats, seenAt: Date.now() };
    folder.entries.set(name, added);
    if (!stats.isDirectory()) return;
    added.folder = { path: listed, absolute, entries: new Map() };
    enter(added.folder, waiting);
  }

  /** Looks at all that is in these folders and below. */
  async function lookThrough(waiting: Folder[]): Promise<void> {
    let began = performance.now();
    // Each before what lies in it, which may be gone with it.
    for (let folder = waiting.shift(); folder; folder = waiting.shift()) {
      if (folders.get(folder.path) !== folder) continue;
      for (const name of new Set([...folder.entries.keys(), ...readNames(folder.absolute)])) {
        look(folder, name, { isReported: false, waiting });
        if (performance.now() - began < STRETCH_MS) continue;
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
    justShared.clear();
    reported.clear();
    log.forget();
    sorted = null;
    count = 0;
  }

  /** Takes in what was reported so far. */
  async function takeReports(): Promise<void> {
    while (reported.size > 0) {
      const waiting: Folder[] = [];
      const now = [...reported];
      reported.clear();
      const byPlace = new Map([...folders.values()].map((folder) => [folder.absolute, folder]));
      for (const [absolute, names] of now) {
        const folder = byPlace.get(absolute);
        if (folder && folders.get(folder.path) === folder)
          for (const name of names) look(folder, name, { isReported: true, waiting });
      }
      await lookThrough(waiting);
    }
    findOtherNames();
    for (const { folder, name } of [...shared.values()]) look(folder, name, { isReported: false, waiting: [] });
  }

  /** The system reports a new name of a file under that name alone; its other names are never heard of. */
  function findOtherNames(): void {
    if (justShared.size === 0) return;
    for (const folder of folders.values()) {
      for (const { name, stats } of folder.entries.values()) {
        if (stats.isFile() && justShared.has(stats.ino)) shared.set(path.join(folder.absolute, name), { folder, name });
      }
    }
    justShared.clear();
  }

  /** Brings everything up to date; false where the game cannot be kept in mind. */
  async function refresh(): Promise<boolean> {
    if (isClosed || Date.now() - failedAt < RETRY_MS) return false;
    try {
      const now = lookAt(path.join(root, TOP));
      if (!now?.isDirectory()) throw new Unusable();
      if (now.ino !== top?.ino || now.dev !== top.dev || folders.size === 0) {
        reset();
        top = now;
        const waiting: Folder[] = [];
        enter({ path: TOP, absolute: path.join(root, TOP), entries: new Map() }, waiting);
        await lookThrough(waiting);
        log.forget();
      }
      // Reports of what was done before this call are in the system's queue: one turn of the loop takes them from it.
      if (await watches.isComplete()) await takeReports();
      else await lookThrough([...folders.values()]);
      return links.size === 0;
    } catch (error) {
      // Gone while we looked, closed to us, or none of what is kept in mind.
      reset();
      top = null;
      failedAt = error instanceof Unusable ? Date.now() : Number.NEGATIVE_INFINITY;
      return false;
    }
  }

  /** One after the other; calls that wait for the same turn share it. */
  function inTurn<T>(work: (isKnown: boolean) => T): Promise<T> {
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
    // The disk may spell it decomposed.
    if (!entries || name === name.normalize('NFD')) return false;
    return [...entries.values()].some(({ info }) => info.path === listed && !info.isDirectory);
  }

  function tell(): void {
    void inTurn(() => {
      const paths = log.since(told) ?? [...folders.values()].flatMap(toPaths);
      told = log.now;
      if (paths.length > 0) for (const listener of listeners) listener(paths.sort());
    });
  }

  return {
    async list(folder, { recursive, unportable }) {
      // Where every file would have to be looked at for it, listing the one folder is less work.
      if (!watches.isReliable()) return null;
      return inTurn((isKnown) => {
        const there = folders.get(folder);
        if (!isKnown || !there) return null;
        const isWanted = (entry: Entry) => unportable || !entry.unportable;
        if (!recursive) return toInfos([...there.entries.values()].filter(isWanted).sort(byPath));
        sorted ??= [...folders.values()].flatMap(({ entries }) => [...entries.values()]).sort(byPath);
        // Code units above "/" begin at "0": what lies below the folder stands together.
        const below = sorted.slice(findPlace(sorted, `${folder}/`), findPlace(sorted, `${folder}0`));
        return toInfos(below.filter(isWanted));
      });
    },

    changes: (earlier) =>
      inTurn((isKnown) => {
        if (!isKnown) return null;
        const paths = earlier === null ? null : log.since(earlier);
        return { now: log.now, changes: paths?.map((changed) => ({ path: changed, isFile: isFile(changed) })) ?? null };
      }),

    watch(listener) {
      listeners.add(listener);
      void inTurn(() => {
        told = Math.max(told, log.now);
        if (listeners.size > 0) watches.tellAtIntervals(tell);
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

/** Undefined when it is gone by now, or when what it lay in is no folder any more, which `throwIfNoEntry` does not cover. */
function lookAt(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** None when the folder is gone by now: looking at the one above it, now or next time, tells so. */
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
  return now.isFile() && seenAt - Math.max(now.mtimeMs, now.ctimeMs) < YOUNG_MS;
}

/** Where a path stands or would stand. */
function findPlace(entries: readonly Entry[], wanted: string): number {
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
