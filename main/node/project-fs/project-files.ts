import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';

import { AppError } from '../../../shared/errors.ts';
import { isUnportable } from '../../../shared/model/portable-name.ts';
import { toProjectPath } from '../../../shared/model/project-path.ts';
import type { FileInfo, Reader } from '../../core/ports.ts';
import { NOFOLLOW_NONBLOCK } from '../files/durable-file.ts';

import {
  isMissing,
  toFolderError,
  toIoError,
  toNotFound,
  toSpecialFileError,
  toStoppedError,
  toSystemCode,
} from '../files/io-error.ts';
import { toText, toVersion } from '../files/strict-text.ts';
import type { FolderMatcher } from '../search/matcher.ts';
import type { GameTree } from './game-tree.ts';
import { createPathResolver, type PathResolver, type Place } from './path-resolver.ts';

const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;
/** Far above any game; a link into a huge tree must not exhaust the memory. */
const MAX_ENTRIES = 100_000;
/** Maximum duration of a run of blocking calls. */
const MAX_SLICE_MS = 15;

const readLater = promisify(read);

/** Number of recently read files that are assumed to be in the page cache. */
const MAX_RECENT = 16;
/** Maximum for a blocking read from the page cache; larger reads would block noticeably. */
const MAX_BLOCKING_READ_BYTES = 256 * 1024;

/** A longer read waited for the disk; the reads that follow do not block for a while. */
const SLOW_MS = 1;
const SLOW_FOR_MS = 200;
let slowUntil = 0;

/** Reads all of an open file, whatever size was reported: it may grow, and files of `/proc` report a wrong size. */
async function readUpTo(handle: number, expected: number, limits: ReadLimits): Promise<Buffer | null> {
  const { maxBytes, inMemory = false } = limits;
  const isQuick = expected <= MAX_BLOCKING_READ_BYTES && (inMemory || performance.now() > slowUntil);
  const startedAt = performance.now();
  let buffer = Buffer.allocUnsafe(Math.min(expected, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const left = buffer.length - length;
    const bytesRead = isQuick
      ? readSync(handle, buffer, length, left, length)
      : (await readLater(handle, buffer, length, left, length)).bytesRead;
    length += bytesRead;
    if (performance.now() - startedAt > SLOW_MS) slowUntil = performance.now() + SLOW_FOR_MS;
    if (length > maxBytes) return null;
    // Exactly the reported size: end of file. With a reported size of 0, the end is read explicitly.
    if (bytesRead === 0 || (length === expected && expected > 0)) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
  }
}

interface ReadLimits {
  maxBytes: number;
  /** The file was read a moment ago, so that reading it again does not wait for the disk. */
  inMemory?: boolean;
}

/** Returns the bytes of a regular file of the project; shared by writer and reader. Null when it does not exist. */
export async function readProjectBytes(
  resolver: PathResolver,
  input: string,
  limits: ReadLimits,
): Promise<{ path: string; bytes: Buffer } | null> {
  const projectPath = toProjectPath(input);
  const place = await resolver.resolve(projectPath);
  const bytes = place && (await readPlace(resolver, { ...place, path: projectPath }, limits));
  return bytes && { path: projectPath, bytes };
}

/** Does the same for a place that is already resolved. */
export async function readPlace(resolver: PathResolver, place: Place, limits: ReadLimits): Promise<Buffer | null> {
  const { path: projectPath } = place;
  const { maxBytes } = limits;
  let handle: number;
  try {
    handle = openSync(place.absolute, constants.O_RDONLY | NOFOLLOW_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return null;
    // Windows cannot open a folder, and no system opens a socket.
    const stats = lstatSync(place.absolute, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw toFolderError(projectPath);
    if (stats && !stats.isFile()) throw toSpecialFileError(projectPath);
    throw toIoError(error, projectPath);
  }
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory()) throw toFolderError(projectPath);
    if (!stats.isFile()) throw toSpecialFileError(projectPath);
    resolver.verify(handle, place);
    const bytes = stats.size > maxBytes ? null : await readUpTo(handle, stats.size, limits);
    if (bytes) return bytes;
    throw new AppError('E_TOO_LARGE', `"${projectPath}" is larger than ${maxBytes} bytes.`, {
      details: { path: projectPath, bytes: stats.size, maxBytes },
      hint: 'Read a smaller file, or raise maxBytes.',
      reason: 'file.tooLarge',
    });
  } catch (error) {
    throw toIoError(error, projectPath);
  } finally {
    closeSync(handle);
  }
}

/** Returns whether access is denied or the path is too long for the system. */
function isOutOfReach(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(toSystemCode(error) ?? '');
}

/** Returns the project path of a name found on the disk, if that path leads back to it; null otherwise. */
function toListedPath(folder: string, name: string): string | null {
  try {
    const listed = toProjectPath(folder === '.' ? name : `${folder}/${name}`);
    return listed.split('/').length === (folder === '.' ? 1 : folder.split('/').length + 1) ? listed : null;
  } catch {
    // A forbidden name, or one that other systems cannot have: the app ignores it.
    return null;
  }
}

/** Creates a reader for one project folder. `visible`: see `createPathResolver`. Without a `matcher` it cannot search. */
export function createReader(
  root: string,
  options: {
    visible?: readonly string[];
    matcher?: Pick<FolderMatcher, 'searchFolder'>;
    /** Answers for the folder `game` where it can. */
    tree?: GameTree;
  } = {},
): Reader {
  const { tree } = options;
  const resolver = createPathResolver(root, options);
  /** The files read most recently. */
  const recent = new Set<string>();

  /**
   * Returns null for what is left out: neither file nor folder, removed, a link that leads out of the project or in
   * circles.
   */
  function toInfo(projectPath: string, absolute: string, isLink: boolean): FileInfo | null {
    try {
      // Blocking calls take microseconds, a round trip through the thread pool about fifty.
      const stats = isLink ? statSync(absolute) : lstatSync(absolute);
      if (!stats.isDirectory() && !stats.isFile()) return null;
      return { path: projectPath, bytes: stats.isFile() ? stats.size : 0, isDirectory: stats.isDirectory() };
    } catch (error) {
      if (isMissing(error) || isOutOfReach(error)) return null;
      throw toIoError(error, projectPath);
    }
  }

  /** Returns the target of a link; null when it is outside of the project or missing. */
  async function resolveLink(projectPath: string): Promise<Place | null> {
    try {
      return await resolver.resolve(projectPath);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  /** Yields the names in a folder that a project path can have; with `unportable` also plain files that no path can name. */
  function* listNames(folder: string, absolute: string, unportable: boolean) {
    for (const entry of readdirSync(absolute, { withFileTypes: true })) {
      const isUnnameable = unportable && folder !== '.' && entry.isFile() && isUnportable(entry.name);
      const projectPath = isUnnameable ? `${folder}/${entry.name.normalize('NFC')}` : toListedPath(folder, entry.name);
      if (projectPath === null || !resolver.isVisible(projectPath)) continue;
      yield { projectPath, absolute: path.join(absolute, entry.name), isLink: entry.isSymbolicLink() };
    }
  }

  return {
    async list(input, { recursive = false, unportable = false, maxEntries = MAX_ENTRIES, onLeftOut, signal } = {}) {
      const start = toProjectPath(input);
      if (start === 'game' || start.startsWith('game/')) {
        const known = await tree?.list(start, { recursive, unportable });
        if (known) return known;
      }
      const top = await resolver.resolve(start);
      if (!top) throw toNotFound(start);
      const result: FileInfo[] = [];
      // Upper levels first and links last, so that a limit on entries does not leave out the game's own files.
      const waiting = [{ path: start, absolute: top.absolute, linked: false }];
      const links: typeof waiting = [];
      let began = performance.now();
      for (let folder = waiting.shift(); folder; folder = waiting.shift() ?? links.shift()) {
        if (signal?.aborted) throw toStoppedError('Listing the folder');
        try {
          // A folder that meanwhile became a link may lead anywhere.
          if (folder.path !== start && realpathSync.native(folder.absolute) !== folder.absolute) continue;
          for (const { projectPath, absolute, isLink } of listNames(folder.path, folder.absolute, unportable)) {
            if (performance.now() - began > MAX_SLICE_MS) {
              await nextTurn();
              if (signal?.aborted) throw toStoppedError('Listing the folder');
              began = performance.now();
            }
            const place = isLink ? await resolveLink(projectPath) : null;
            const info = isLink && !place ? null : toInfo(projectPath, absolute, isLink);
            if (!info) continue;
            if (result.length >= maxEntries) {
              if (!onLeftOut) throw toTooMany(start, maxEntries);
              onLeftOut(maxEntries);
              return sortByPath(result);
            }
            result.push(info);
            if (!recursive || !info.isDirectory) continue;
            if (!place) waiting.push({ path: projectPath, absolute, linked: folder.linked });
            // A linked folder is listed and entered, a link inside of it only listed, which ends cycles. A link to an
            // ancestor folder shows nothing new, and thousands of them would list it thousands of times.
            else if (!folder.linked && !isWithin(folder.absolute, place.absolute))
              links.push({ path: projectPath, absolute: place.absolute, linked: true });
          }
        } catch (error) {
          if (error instanceof AppError) throw error;
          if (isMissing(error) && folder.path === start) throw notFolder(start);
          // Removed during the listing, or access denied, which must not hide the other entries.
          if (isMissing(error) || (isOutOfReach(error) && folder.path !== start)) continue;
          throw toIoError(error, folder.path);
        }
      }
      return sortByPath(result);
    },

    async stat(input) {
      const projectPath = toProjectPath(input);
      const place = await resolver.resolve(projectPath);
      if (!place) return null;
      try {
        const stats = lstatSync(place.absolute);
        if (!stats.isDirectory() && !stats.isFile()) throw toSpecialFileError(projectPath);
        return { path: projectPath, bytes: stats.isFile() ? stats.size : 0, isDirectory: stats.isDirectory() };
      } catch (error) {
        if (isMissing(error)) return null;
        throw toIoError(error, projectPath);
      }
    },

    ...(tree && { changes: tree.changes }),

    async locate(input) {
      return (await resolver.resolve(toProjectPath(input)))?.path ?? null;
    },

    async read(input, { maxBytes = DEFAULT_MAX_BYTES } = {}) {
      const projectPath = toProjectPath(input);
      const found = await readProjectBytes(resolver, projectPath, { maxBytes, inMemory: recent.has(projectPath) });
      if (!found) throw toNotFound(projectPath);
      const { bytes } = found;
      recent.delete(projectPath);
      recent.add(projectPath);
      for (const oldest of recent) if (recent.size > MAX_RECENT) recent.delete(oldest);
      return { path: projectPath, text: toText(bytes, projectPath), version: toVersion(bytes), bytes: bytes.length };
    },

    async search({ path: start, glob, multiline = false, before = 0, after = 0, instead, signal, ...pattern }) {
      const { matcher } = options;
      if (!matcher) throw new AppError('E_UNSUPPORTED', 'Search is not available here.');
      const projectPath = toProjectPath(start);
      const place = await resolver.resolve(projectPath);
      const stats = place && lstatSync(place.absolute, { throwIfNoEntry: false });
      const texts = [...(instead ?? [])];
      return matcher.searchFolder(
        {
          ...pattern,
          root: await resolver.root(),
          visible: options.visible ?? null,
          // A folder may exist only in drafts.
          start: {
            path: projectPath,
            absolute: stats && place ? place.absolute : null,
            isFolder: stats?.isDirectory() ?? !texts.some(([one]) => one === projectPath),
          },
          glob: glob ?? null,
          instead: texts,
          multiline,
          before,
          after,
        },
        signal,
      );
    },
  };
}

function toTooMany(start: string, maxEntries: number): AppError {
  return new AppError('E_TOO_LARGE', `"${start}" contains more than ${maxEntries} files.`, {
    details: { path: start, maxEntries },
    hint: 'List a folder inside of it.',
    reason: 'folder.tooLarge',
  });
}

/** Returns whether a real folder is the other one or lies in it. */
function isWithin(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(other.endsWith(path.sep) ? other : other + path.sep);
}

function sortByPath(entries: FileInfo[]): FileInfo[] {
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function notFolder(projectPath: string): AppError {
  return new AppError('E_NOT_FOUND', `"${projectPath}" is a file, not a folder.`, {
    details: { path: projectPath },
    hint: 'Name the folder it is in.',
    reason: 'file.notFolder',
  });
}
