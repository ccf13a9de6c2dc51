import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { isForbiddenName, toNameFault } from '../../../shared/model/portable-name.ts';

/**
 * Walks and reads a project with blocking calls, for the search thread: a call at a time through the main thread's pool
 * costs twenty times as much. The rules are the resolver's. Where the system lets us, a folder is opened, asked where
 * it really is, and its files are opened through that handle, so that nothing swapped meanwhile can lead elsewhere.
 */

const NO_SURPRISES = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const HAS_HANDLE_PATHS = process.platform === 'linux';
const MAX_PATH = 4096;
/** Far above any game; a link into a huge tree must not fill the memory. */
export const MAX_ENTRIES = 100_000;

export interface Found {
  /** Project path. */
  path: string;
  /** The real folder it lies in, and its name there as the disk spells it. */
  folder: string;
  name: string;
}

export interface WalkOptions {
  /** The project's real folder. */
  root: string;
  /** What alone may be seen at the top of it. */
  visible: readonly string[] | null;
  isWanted: (projectPath: string) => boolean;
}

export class TooManyEntries extends Error {}

interface Visit {
  path: string;
  absolute: string;
  linked: boolean;
}

/** A folder that is open and is the one it was said to be; null when it is gone, or has become something else. */
function openFolder(absolute: string): { at: (name: string) => string; close: () => void } | null {
  try {
    if (!HAS_HANDLE_PATHS) return { at: (name) => path.join(absolute, name), close: () => undefined };
    const handle = openSync(absolute, FOLDER);
    const here = `/proc/self/fd/${handle}`;
    const close = () => closeSync(handle);
    if (readlinkSync(here) === absolute) return { at: (name) => `${here}/${name}`, close };
    close();
  } catch {
    // Not there any more, not a folder, or closed to us: there is nothing to find in it.
  }
  return null;
}

/** Where a link leads inside of the project, or null. */
function followLink(absolute: string, { root, visible }: WalkOptions): { real: string; isFolder: boolean } | null {
  try {
    const real = realpathSync.native(absolute);
    const relative = path.relative(root, real);
    const parts = relative === '' ? [] : relative.split(path.sep);
    if (path.isAbsolute(relative) || parts[0] === '..' || parts.some(isForbiddenName)) return null;
    if (visible && parts[0] !== undefined && !visible.includes(parts[0].normalize('NFC'))) return null;
    const stats = statSync(real);
    return stats.isDirectory() ? { real, isFolder: true } : stats.isFile() ? { real, isFolder: false } : null;
  } catch {
    return null; // A link to nowhere, or in circles.
  }
}

/** All wanted files below a real folder, sorted by project path. Throws `TooManyEntries`. */
export function walkFolder(start: { path: string; absolute: string }, options: WalkOptions): Found[] {
  const found: Found[] = [];
  const waiting: Visit[] = [{ ...start, linked: false }];
  let count = 0;

  function take(visit: Visit, entry: Dirent): void {
    const name = entry.name.normalize('NFC');
    const listed = visit.path === '.' ? name : `${visit.path}/${name}`;
    if (toNameFault(name) !== null || listed.length > MAX_PATH) return;
    if (visit.path === '.' && options.visible && !options.visible.includes(name)) return;
    if (entry.isFile()) {
      if (options.isWanted(listed)) found.push({ path: listed, folder: visit.absolute, name: entry.name });
    } else if (entry.isDirectory()) {
      waiting.push({ path: listed, absolute: path.join(visit.absolute, entry.name), linked: visit.linked });
    } else if (entry.isSymbolicLink()) {
      const target = followLink(path.join(visit.absolute, entry.name), options);
      if (target === null) return;
      // A linked folder is entered, a link to a folder inside of it is not: links in circles end there.
      if (target.isFolder) {
        // One to a folder that it lies in shows nothing new.
        const isLoop = visit.absolute === target.real || visit.absolute.startsWith(target.real + path.sep);
        if (!visit.linked && !isLoop) waiting.push({ path: listed, absolute: target.real, linked: true });
      } else if (options.isWanted(listed)) {
        found.push({ path: listed, folder: path.dirname(target.real), name: path.basename(target.real) });
      }
    }
  }

  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const folder = openFolder(visit.absolute);
    if (folder === null) continue;
    try {
      for (const entry of readdirSync(folder.at('.'), { withFileTypes: true })) {
        take(visit, entry);
        count += 1;
        if (count > MAX_ENTRIES) throw new TooManyEntries();
      }
    } catch (error) {
      if (error instanceof TooManyEntries) throw error;
      // Closed to us, or removed while it was listed.
    } finally {
      folder.close();
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

interface KeptBytes {
  stats: Stats;
  bytes: Buffer;
}

/** What was read of small files, as long as they stay as they are. */
export interface FileMemory {
  has(file: string): boolean;
  find(file: string, stats: Stats): Buffer | null;
  keep(file: string, stats: Stats, bytes: Buffer): void;
}

/** Files that are larger are read each time. */
const SMALL_BYTES = 128 * 1024;
/** A file that is younger may change again without its times changing: file systems date by steps. */
const YOUNG_MS = 2_000;

/** Keeps at most `mostBytes`; what was kept longest goes first. Opening, reading and closing a file costs six times a look at it. */
export function createFileMemory(mostBytes: number): FileMemory {
  const kept = new Map<string, KeptBytes>();
  let total = 0;
  const forget = (file: string, { bytes }: KeptBytes) => {
    kept.delete(file);
    total -= bytes.length;
  };
  return {
    has: (file) => kept.has(file),
    find(file, stats) {
      const known = kept.get(file);
      if (known === undefined) return null;
      const { ino, size, mtimeMs, ctimeMs } = known.stats;
      if (stats.ino === ino && stats.size === size && stats.mtimeMs === mtimeMs && stats.ctimeMs === ctimeMs) {
        return known.bytes;
      }
      forget(file, known);
      return null;
    },
    keep(file, stats, bytes) {
      if (bytes.length > SMALL_BYTES || bytes.length !== stats.size) return;
      if (Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) < YOUNG_MS) return;
      kept.set(file, { stats, bytes: Buffer.from(bytes) });
      total += bytes.length;
      for (const [oldest, one] of kept) {
        if (total <= mostBytes) break;
        forget(oldest, one);
      }
    },
  };
}

/**
 * Hands out the bytes of one regular file after the other, each at most `maxBytes` long. The bytes are good until the
 * next call. Null for what is larger, gone, closed to us, or no regular file.
 */
export function createFileReader(
  maxBytes: number,
  memory: FileMemory,
): { read: (file: Found) => Buffer | null; close: () => void } {
  let buffer = Buffer.allocUnsafe(64 * 1024);
  let current: { absolute: string; folder: ReturnType<typeof openFolder> } | undefined;

  function close(): void {
    current?.folder?.close();
    current = undefined;
  }

  function fill(handle: number, size: number): Buffer | null {
    if (buffer.length <= size) buffer = Buffer.allocUnsafe(size + 64 * 1024);
    let length = 0;
    for (;;) {
      const read = readSync(handle, buffer, length, buffer.length - length, length);
      length += read;
      if (length > maxBytes) return null;
      // A short read of a regular file is its end.
      if (read === 0 || length < buffer.length) return buffer.subarray(0, length);
      buffer = Buffer.concat([buffer], buffer.length * 2);
    }
  }

  return {
    close,
    read({ folder: absolute, name }) {
      const file = absolute + path.sep + name;
      try {
        // By its plain name: whatever has taken the folder's place by now has other numbers, and is opened as any other.
        const known = memory.has(file) ? memory.find(file, lstatSync(file)) : null;
        if (known !== null) return known;
        if (current?.absolute !== absolute) {
          close();
          current = { absolute, folder: openFolder(absolute) };
        }
        const { folder } = current;
        if (folder === null) return null;
        const handle = openSync(folder.at(name), NO_SURPRISES);
        try {
          const stats = fstatSync(handle);
          if (!stats.isFile() || stats.size > maxBytes) return null;
          if (!HAS_HANDLE_PATHS && realpathSync.native(file) !== file) return null;
          const bytes = fill(handle, stats.size);
          if (bytes !== null) memory.keep(file, stats, bytes);
          return bytes;
        } finally {
          closeSync(handle);
        }
      } catch {
        return null;
      }
    },
  };
}
