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
import { isForbiddenName, toNameFault } from '../../../shared/paths/portable-name.ts';

/**
 * Walks and reads a project with blocking calls, for the search thread: single calls through the main thread's pool cost
 * twenty times as much. The rules are those of the resolver. Where the system supports it, a folder is opened, its real
 * path is read from the handle, and its files are opened through that handle, so that a path swapped meanwhile cannot
 * lead elsewhere.
 */

const FILE_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const DIRECTORY_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const HAS_HANDLE_PATHS = process.platform === 'linux';
const MAX_PATH = 4096;
/** Far above any game; a link into a huge tree must not exhaust the memory. */
export const MAX_ENTRIES = 100_000;

export interface Found {
  /** Project path. */
  path: string;
  /** The real folder, and the name in it as the disk spells it. */
  folder: string;
  name: string;
}

export interface WalkOptions {
  /** The project's real folder. */
  root: string;
  /** The only visible names at its top. */
  visible: readonly string[] | null;
  isWanted: (projectPath: string) => boolean;
}

export class TooManyEntries extends Error {}

interface Visit {
  path: string;
  absolute: string;
  linked: boolean;
}

/** Opens a folder if it still is at its real path; null when it is gone or was replaced. */
function openFolder(absolute: string): { at: (name: string) => string; close: () => void } | null {
  try {
    if (!HAS_HANDLE_PATHS) return { at: (name) => path.join(absolute, name), close: () => undefined };
    const handle = openSync(absolute, DIRECTORY_FLAGS);
    const here = `/proc/self/fd/${handle}`;
    const close = () => closeSync(handle);
    if (readlinkSync(here) === absolute) return { at: (name) => `${here}/${name}`, close };
    close();
  } catch {
    // Gone, not a folder, or access denied: it has no entries to search.
  }
  return null;
}

/** Returns the target of a link inside of the project, or null. */
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
    return null; // A dangling link, or a cycle.
  }
}

/** Returns all wanted files below a real folder, sorted by project path. Throws `TooManyEntries`. */
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
      // A linked folder is entered, a link to a folder inside of it is not, which ends cycles.
      if (target.isFolder) {
        // A link to an ancestor folder shows nothing new.
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
      // Access denied, or removed during the listing.
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

/** A cache of the bytes of small files, valid while their size, times and inode numbers stay the same. */
export interface FileMemory {
  has(file: string): boolean;
  find(file: string, stats: Stats): Buffer | null;
  keep(file: string, stats: Stats, bytes: Buffer): void;
}

/** Larger files are read each time. */
const MAX_CACHED_FILE_BYTES = 128 * 1024;
/** A file changed more recently may change again without new timestamps: file systems date in steps. */
const RECENT_CHANGE_MS = 2_000;

/**
 * Creates a cache of at most `mostBytes`; the oldest entry is evicted first. Opening, reading and closing a file costs
 * six times as much as `lstat`.
 */
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
      if (bytes.length > MAX_CACHED_FILE_BYTES || bytes.length !== stats.size) return;
      if (Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) < RECENT_CHANGE_MS) return;
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
 * Creates a function that returns the bytes of one regular file at a time, each at most `maxBytes` long. The bytes are
 * valid until the next call. Null for a file that is larger, gone, unreadable, or not regular.
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
        // By its plain path: if the folder was replaced, the file's numbers differ and it is opened like any other.
        const known = memory.has(file) ? memory.find(file, lstatSync(file)) : null;
        if (known !== null) return known;
        if (current?.absolute !== absolute) {
          close();
          current = { absolute, folder: openFolder(absolute) };
        }
        const { folder } = current;
        if (folder === null) return null;
        const handle = openSync(folder.at(name), FILE_FLAGS);
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
