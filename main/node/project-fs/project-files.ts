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
import { NO_SURPRISES } from '../files/durable-file.ts';
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
/** Far above any game; a link into a huge tree must not fill the memory. */
const MAX_ENTRIES = 100_000;
/** Blocking calls at a stretch, in milliseconds. */
const STRETCH_MS = 15;

const readLater = promisify(read);

/** So many files are sure to be in the system's memory still. */
const MOST_RECENT = 16;
/** Up to here bytes that the system has in its memory are read while we wait; more would be felt. */
const SMALL_BYTES = 256 * 1024;

/** A read that takes longer waited for the disk: then others have their turn during the reads that follow. */
const SLOW_MS = 1;
const SLOW_FOR_MS = 200;
let slowUntil = 0;

/** Reads all of an opened file, whatever its size was said to be: it may grow, or lie, as files of `/proc` do. */
async function readUpTo(handle: number, expected: number, limits: ReadLimits): Promise<Buffer | null> {
  const { maxBytes, inMemory = false } = limits;
  const isQuick = expected <= SMALL_BYTES && (inMemory || performance.now() > slowUntil);
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
    // All that was said to be there and no more: its end. Whoever said there was nothing is asked again.
    if (bytesRead === 0 || (length === expected && expected > 0)) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
  }
}

interface ReadLimits {
  maxBytes: number;
  /** It was read a moment ago, so that reading it again waits for no disk. */
  inMemory?: boolean;
}

/** The bytes of a regular file of the project; the writer and the reader share it. Null when nothing is there. */
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

/** The same for a place that was resolved already. */
export async function readPlace(resolver: PathResolver, place: Place, limits: ReadLimits): Promise<Buffer | null> {
  const { path: projectPath } = place;
  const { maxBytes } = limits;
  let handle: number;
  try {
    handle = openSync(place.absolute, constants.O_RDONLY | NO_SURPRISES);
  } catch (error) {
    if (isMissing(error)) return null;
    // Windows cannot open a folder at all; a socket cannot be opened anywhere.
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

/** Closed to us, or so deep that the system takes no path to it. */
function isOutOfReach(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(toSystemCode(error) ?? '');
}

/** Whether a name found on disk can be named by a project path that leads back to it. */
function toListedPath(folder: string, name: string): string | null {
  try {
    const listed = toProjectPath(folder === '.' ? name : `${folder}/${name}`);
    return listed.split('/').length === (folder === '.' ? 1 : folder.split('/').length + 1) ? listed : null;
  } catch {
    // A forbidden name, or one that other systems cannot have: it does not exist for the app.
    return null;
  }
}

/** Reads inside one project folder. `visible`: see `createPathResolver`. Without a `matcher` it cannot search. */
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
  /** The files read last. */
  const recent = new Set<string>();

  /** Null for what is left out: what is no file or folder, or gone, and links that lead out or in circles. */
  function toInfo(projectPath: string, absolute: string, isLink: boolean): FileInfo | null {
    try {
      // Blocking calls: each takes microseconds, a trip through the pool of threads fifty of them.
      const stats = isLink ? statSync(absolute) : lstatSync(absolute);
      if (!stats.isDirectory() && !stats.isFile()) return null;
      return { path: projectPath, bytes: stats.isFile() ? stats.size : 0, isDirectory: stats.isDirectory() };
    } catch (error) {
      if (isMissing(error) || isOutOfReach(error)) return null;
      throw toIoError(error, projectPath);
    }
  }

  /** Where a link leads; null when that is outside of the project, or nowhere. */
  async function resolveLink(projectPath: string): Promise<Place | null> {
    try {
      return await resolver.resolve(projectPath);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  /** The names in a folder that a project path can have; with `unportable` also plain files that none can name. */
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
      // Near the top first, and links last: should there be too many, the game's own are not the ones that are left out.
      const waiting = [{ path: start, absolute: top.absolute, linked: false }];
      const links: typeof waiting = [];
      let began = performance.now();
      for (let folder = waiting.shift(); folder; folder = waiting.shift() ?? links.shift()) {
        if (signal?.aborted) throw toStoppedError('Listing the folder');
        try {
          // A folder that became a link meanwhile may lead anywhere.
          if (folder.path !== start && realpathSync.native(folder.absolute) !== folder.absolute) continue;
          for (const { projectPath, absolute, isLink } of listNames(folder.path, folder.absolute, unportable)) {
            if (performance.now() - began > STRETCH_MS) {
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
            // A linked folder is listed and entered, a link inside of it only listed: links in circles end there. One to a
            // folder that it lies in shows nothing new, and thousands of them would show it thousands of times.
            else if (!folder.linked && !isWithin(folder.absolute, place.absolute))
              links.push({ path: projectPath, absolute: place.absolute, linked: true });
          }
        } catch (error) {
          if (error instanceof AppError) throw error;
          if (isMissing(error) && folder.path === start) throw notFolder(start);
          // Removed while we were listing, or closed to us, which must not hide all the others.
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
      for (const oldest of recent) if (recent.size > MOST_RECENT) recent.delete(oldest);
      return { path: projectPath, text: toText(bytes, projectPath), version: toVersion(bytes), bytes: bytes.length };
    },

    async search({ path: start, glob, multiline = false, before = 0, after = 0, instead, signal, ...pattern }) {
      const { matcher } = options;
      if (!matcher) throw new AppError('E_UNSUPPORTED', 'Nothing can be searched here.');
      const projectPath = toProjectPath(start);
      const place = await resolver.resolve(projectPath);
      const stats = place && lstatSync(place.absolute, { throwIfNoEntry: false });
      const texts = [...(instead ?? [])];
      return matcher.searchFolder(
        {
          ...pattern,
          root: await resolver.root(),
          visible: options.visible ?? null,
          // A folder may be there in drafts alone.
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
  return new AppError('E_TOO_LARGE', `"${start}" holds more than ${maxEntries} files.`, {
    details: { path: start, maxEntries },
    hint: 'List a folder inside of it.',
    reason: 'folder.tooLarge',
  });
}

/** Whether a real folder is the other one or lies in it. */
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
