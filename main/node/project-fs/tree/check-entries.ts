import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isUnportable, toNameFault } from '../../../../shared/paths/portable-name.ts';
import { isMissing } from '../../files/io-error.ts';
import { readNames } from '../../files/read-names.ts';
import { type Entry, type Folder, type TreeState, Unusable } from './tree-state.ts';

/** Games with more entries are not cached but listed from the disk each time. */
const MAX_ENTRIES = 100_000;
/** Maximum duration of a run of blocking calls. */
const MAX_SLICE_MS = 15;
/** A file changed more recently than this may change again without new timestamps: file systems date in steps. */
const RECENT_CHANGE_MS = 2_000;

/** How one name is checked. */
interface EntryCheck {
  /** A change was reported, whatever the timestamps are. */
  isReported: boolean;
  /** Receives a folder that was found, whose entries are to be checked too. */
  waiting: Folder[];
}

/** Adds a folder whose entries are not known yet to the cache. */
export function enterFolder(state: TreeState, folder: Folder, waiting: Folder[]): void {
  state.folders.set(folder.path, folder);
  // First, so that no change during the read of the folder is missed.
  state.watches.add(folder.absolute);
  waiting.push(folder);
}

/** Checks everything in these folders and below. */
export async function checkFolders(state: TreeState, waiting: Folder[]): Promise<void> {
  let began = performance.now();
  // Parents first: what lies in a removed folder may be gone with it.
  for (let folder = waiting.shift(); folder; folder = waiting.shift()) {
    if (state.folders.get(folder.path) !== folder) continue;
    for (const name of new Set([...folder.entries.keys(), ...readNames(folder.absolute)])) {
      checkEntry(state, { folder, name }, { isReported: false, waiting });
      if (performance.now() - began < MAX_SLICE_MS) continue;
      await nextTurn();
      if (state.isClosed) throw new Unusable();
      began = performance.now();
    }
  }
}

/** Checks one name of a folder. */
export function checkEntry(
  state: TreeState,
  { folder, name }: { folder: Folder; name: string },
  { isReported, waiting }: EntryCheck,
): void {
  const known = folder.entries.get(name);
  const absolute = path.join(folder.absolute, name);
  const stats = readStats(absolute);
  // A report about a folder's own name means that it was created, removed or replaced, perhaps by one with the same
  // inode number.
  const isOther = stats?.ino !== known?.stats.ino || stats?.isDirectory() !== known?.info.isDirectory;
  if (known && (isOther || (isReported && known.folder))) {
    folder.entries.delete(name);
    forget(state, known, absolute);
  }
  if (!stats) return;
  const entry = folder.entries.get(name);
  if (entry?.folder) return;
  const found = toListed(folder, name, stats);
  if (!found) return;
  noteLinks(state, { folder, name }, stats);
  if (entry && !isReported && !hasChanged(entry, stats)) {
    entry.seenAt = Date.now();
    return;
  }
  const info = { path: found.path, bytes: stats.isFile() ? stats.size : 0, isDirectory: stats.isDirectory() };
  state.log.add(found.path);
  if (entry) {
    Object.assign(entry, { info, stats, seenAt: Date.now() });
    return;
  }
  state.count += 1;
  if (state.count > MAX_ENTRIES || stats.dev !== state.top?.dev) throw new Unusable();
  state.sorted = null;
  const added: Entry = { name, info, unportable: found.unportable, folder: null, stats, seenAt: Date.now() };
  folder.entries.set(name, added);
  if (!stats.isDirectory()) return;
  added.folder = { path: found.path, absolute, entries: new Map() };
  enterFolder(state, added.folder, waiting);
}

/** Returns the project path under which a name is listed; null for what is left out. */
function toListed(folder: Folder, name: string, stats: Stats): { path: string; unportable: boolean } | null {
  if (!stats.isDirectory() && !stats.isFile() && !stats.isSymbolicLink()) return null;
  const composed = name.normalize('NFC');
  const unportable = toNameFault(composed) !== null;
  if (unportable && !(stats.isFile() && isUnportable(name))) return null;
  return { path: `${folder.path}/${composed}`, unportable };
}

function noteLinks(state: TreeState, { folder, name }: { folder: Folder; name: string }, stats: Stats): void {
  const absolute = path.join(folder.absolute, name);
  if (stats.isSymbolicLink()) state.links.add(`${folder.path}/${name.normalize('NFC')}`);
  if (stats.isFile() && stats.nlink > 1) {
    if (!state.shared.has(absolute)) state.recentlyLinked.add(stats.ino);
    state.shared.set(absolute, { folder, name });
  } else state.shared.delete(absolute);
}

function forget(state: TreeState, entry: Entry, absolute: string): void {
  state.log.add(entry.info.path);
  state.sorted = null;
  state.count -= 1;
  state.links.delete(entry.info.path);
  state.shared.delete(absolute);
  if (entry.folder === null) return;
  state.watches.remove(absolute);
  state.folders.delete(entry.folder.path);
  for (const below of entry.folder.entries.values()) forget(state, below, path.join(absolute, below.name));
}

/**
 * Returns undefined when it no longer exists, or when its parent is no folder any more, which `throwIfNoEntry` does not
 * cover.
 */
export function readStats(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function hasChanged({ stats: before, seenAt }: Entry, now: Stats): boolean {
  if (now.mtimeMs !== before.mtimeMs || now.ctimeMs !== before.ctimeMs || now.size !== before.size) return true;
  return now.isFile() && seenAt - Math.max(now.mtimeMs, now.ctimeMs) < RECENT_CHANGE_MS;
}
