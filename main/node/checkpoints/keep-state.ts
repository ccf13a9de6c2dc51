import { closeSync, constants, fstatSync, openSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { LeftOutFile, LeftOutReason } from '../../../shared/model/checkpoint.ts';
import type { StateFile } from '../../core/ports/stores/checkpoints.ts';
import { NOFOLLOW_NONBLOCK } from '../files/durable-file.ts';
import { isMissing, toStoppedError, toSystemCode } from '../files/io-error.ts';
import { type OpenDirectory, openDirectory } from '../files/open-directory.ts';
import type { KeepOptions, KeptState, TaskContext } from './checkpoint-task.ts';
import { createObjectAdder, type ObjectAdder } from './objects/object-adder.ts';
import { hashHandle, listObjects, measureStore } from './objects/read-objects.ts';
import { makeStoreFolders, readEpoch, type StorePlaces } from './objects/store-places.ts';
import { isSameIdentity, type ScannedFile, type ScanPlace, scanFolder, toIdentity, tryToLook } from './scan-folder.ts';
import { type CachedFile, isSettledAt, loadStatCache, type StatCache, saveStatCache } from './stat-cache.ts';
import { encodeTree } from './tree.ts';

/** Attempts to read a file that changes while it is read. */
const MAX_ATTEMPTS = 3;
/** Space that stays free on the disk of the store. */
const MIN_FREE_BYTES = 256 * 1024 ** 2;
/** What may be possible the next time without a change of a folder. */
const RETRIED: ReadonlySet<LeftOutReason> = new Set(['access', 'tooLarge', 'changing']);
const READ_FLAGS = constants.O_RDONLY | NOFOLLOW_NONBLOCK;
/** Linux has paths through handles. */
const HANDLE_PATHS = process.platform === 'linux' ? '/proc/self/fd' : null;

/** Reads what changed since the last run, and stores it unless the run is dry. Rejects if nothing can be kept. */
export async function keepState(
  places: StorePlaces,
  place: ScanPlace,
  { limit, maxFileBytes }: KeepOptions,
  context: TaskContext,
): Promise<KeptState> {
  const isDry = limit === null;
  const epoch = readEpoch(places);
  const scannedAt = Date.now();
  const cache = loadStatCache(places);
  if (cache.tree !== null && cache.epoch === epoch && isUntouched(cache, place)) return toKept(cache);
  const { files, folders, leftOut } = scanFolder(place, context.isStopped);
  if (context.isStopped()) throw toStoppedError('The work');
  const found = new Map<string, CachedFile>();
  const isStored = toStoredTest(places, cache, { epoch, isDry });
  const changed = findChanged(files, { cache, found, isStored, isDry });
  const adder = limit === null ? null : createObjectAdder(places, { room: toRoom(places, limit) });
  try {
    await readFiles(changed, { found, leftOut, cache, adder, maxFileBytes, context });
    const state = [...found].map(([listed, { hash, size }]): StateFile => ({ path: listed, hash, bytes: size }));
    const bytes = state.reduce((sum, file) => sum + file.bytes, 0);
    const tree = adder && (await adder.addBytes(encodeTree(state))).hash;
    await adder?.settle();
    const next: StatCache = { files: found, folders: new Map(), leftOut, tree, bytes, epoch };
    for (const [absolute, folder] of folders) {
      next.folders.set(absolute, { ...folder, isSettled: isSettledAt(folder, scannedAt) });
    }
    saveStatCache(places, next);
    return toKept(next);
  } catch (error) {
    await adder?.abandon();
    throw error;
  }
}

function toKept({ tree, epoch, files, bytes, leftOut }: StatCache): KeptState {
  return { tree, epoch, files: files.size, bytes, leftOut };
}

/**
 * Returns whether nothing changed since the last run, without reading a folder: a name that is added, removed or replaced
 * changes the dates of its folder.
 */
function isUntouched({ files, folders, leftOut }: StatCache, { root }: ScanPlace): boolean {
  if (!folders.has(root) || leftOut.some(({ reason }) => RETRIED.has(reason))) return false;
  for (const [absolute, folder] of folders) {
    const stats = folder.isSettled ? tryToLook(absolute) : null;
    if (!stats?.isDirectory() || !isSameIdentity(folder, toIdentity(stats))) return false;
  }
  for (const file of files.values()) {
    const stats = file.isSettled && file.isStored && tryToLook(file.absolute);
    if (
      !stats ||
      stats.mtimeMs !== file.mtime ||
      stats.ctimeMs !== file.ctime ||
      stats.size !== file.size ||
      stats.ino !== file.inode
    )
      return false;
  }
  return true;
}

/** Returns how many bytes may be added: up to the limit, and not so many that the disk is full. */
function toRoom(places: StorePlaces, limit: number): number {
  makeStoreFolders(places);
  const disk = statfsSync(places.root);
  const free = disk.bavail * disk.bsize - MIN_FREE_BYTES;
  if (free > 0) return Math.min(free, Math.max(0, limit - measureStore(places)));
  throw new AppError('E_IO', 'The disk is almost full. Nothing was kept.', {
    details: { path: 'checkpoint', system: 'ENOSPC' },
    hint: 'The user has to free disk space first.',
    reason: 'file.diskFull',
  });
}

/** Returns the files of the present as the last run saw them. */
export function toState(places: StorePlaces): Map<string, StateFile> {
  const state = new Map<string, StateFile>();
  for (const [listed, { hash, size }] of loadStatCache(places).files) {
    state.set(listed, { path: listed, hash, bytes: size });
  }
  return state;
}

/** Adds the files that did not change to `found` and returns the others. A dry run needs no stored bytes. */
function findChanged(
  files: ReadonlyMap<string, ScannedFile>,
  known: {
    cache: StatCache;
    found: Map<string, CachedFile>;
    isStored: (file: CachedFile) => boolean;
    isDry: boolean;
  },
): ScannedFile[] {
  const { cache, found, isDry } = known;
  const changed: ScannedFile[] = [];
  for (const [listed, file] of files) {
    const cached = cache.files.get(listed);
    const isSame = cached?.isSettled && isSameIdentity(cached, file);
    const isStored = isSame === true && known.isStored(cached);
    if (!isSame || !(isStored || isDry)) changed.push(file);
    else found.set(listed, cached.isStored === isStored ? cached : { ...cached, isStored });
  }
  return changed;
}

/** In the same epoch no object was removed; in another one the names of all objects are read, once. */
function toStoredTest(
  places: StorePlaces,
  cache: StatCache,
  { epoch, isDry }: { epoch: string; isDry: boolean },
): (file: CachedFile) => boolean {
  let names: Set<string> | undefined;
  return (file) => {
    if (cache.epoch === epoch && file.isStored) return true;
    if (isDry) return false;
    names ??= new Set(listObjects(places));
    return names.has(file.hash);
  };
}

interface Reading {
  found: Map<string, CachedFile>;
  leftOut: LeftOutFile[];
  cache: StatCache;
  /** Null: files are only hashed. */
  adder: ObjectAdder | null;
  maxFileBytes: number;
  context: TaskContext;
}

async function readFiles(changed: readonly ScannedFile[], reading: Reading): Promise<void> {
  const { found, leftOut, maxFileBytes, context } = reading;
  let current: { absolute: string; folder: OpenDirectory | null } | undefined;
  const enter = (absolute: string): OpenDirectory | null => {
    if (current?.absolute !== absolute) {
      current?.folder?.close();
      current = { absolute, folder: tryToOpen(absolute) };
    }
    return current.folder;
  };
  let done = 0;
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes += more;
    context.report(done, changed.length, bytes);
    if (context.isStopped()) throw toStoppedError('The work');
  };
  try {
    // Folder by folder, so that each is opened once.
    for (const file of [...changed].sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0))) {
      onBytes(0);
      const folder = file.size > maxFileBytes ? null : enter(file.folder);
      const result =
        file.size > maxFileBytes ? 'tooLarge' : folder && (await readOne(file, { folder, reading, onBytes }));
      if (typeof result === 'string') leftOut.push({ path: file.path, reason: result });
      else if (result) found.set(file.path, result);
      done += 1;
    }
    context.report(done, changed.length, bytes);
  } finally {
    current?.folder?.close();
  }
}

/** Null for a folder that is gone or was replaced by a link: its files are not part of the game any more. */
function tryToOpen(absolute: string): OpenDirectory | null {
  try {
    return openDirectory(absolute);
  } catch {
    return null;
  }
}

/** Returns null if the file is gone, and a reason if it cannot be kept. */
async function readOne(
  file: ScannedFile,
  { folder, reading, onBytes }: { folder: OpenDirectory; reading: Reading; onBytes: (bytes: number) => void },
): Promise<CachedFile | LeftOutReason | null> {
  const { adder, cache } = reading;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    let handle: number;
    try {
      handle = openSync(folder.at(file.name), READ_FLAGS);
    } catch (error) {
      if (isMissing(error)) return null;
      return toSystemCode(error) === 'ELOOP' ? 'link' : 'access';
    }
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) return 'special';
      if (stats.size > reading.maxFileBytes) return 'tooLarge';
      if (HANDLE_PATHS === null && !folder.isThere()) return null;
      const identity = toIdentity(stats);
      const readAt = Date.now();
      const isLikelyKnown = cache.files.get(file.path)?.size === identity.size;
      const clonePath = HANDLE_PATHS && `${HANDLE_PATHS}/${handle}`;
      const { hash, bytes } = adder
        ? await adder.add({ handle, size: identity.size, clonePath, isLikelyKnown }, onBytes)
        : hashHandle(handle, onBytes);
      if (bytes !== identity.size || !isSameIdentity(identity, toIdentity(fstatSync(handle)))) continue;
      const absolute = path.join(file.folder, file.name);
      return { ...identity, absolute, hash, isSettled: isSettledAt(identity, readAt), isStored: adder !== null };
    } finally {
      closeSync(handle);
    }
  }
  return 'changing';
}
