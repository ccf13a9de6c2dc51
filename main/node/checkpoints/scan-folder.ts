import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { LeftOutFile } from '../../../shared/model/checkpoint.ts';
import { isUnportable, toNameFault } from '../../../shared/paths/portable-name.ts';
import { isMissing, toSystemCode } from '../files/io-error.ts';
import { openDirectory } from '../files/open-directory.ts';

/** Far above any game; as for all listings of a project. */
const MAX_ENTRIES = 100_000;
const MAX_PATH = 4096;

/** What tells that a file did not change: its bytes are read again when one of these differs. */
export interface FileIdentity {
  size: number;
  /** Milliseconds with fractions of a microsecond. */
  mtime: number;
  ctime: number;
  inode: number;
}

export interface ScannedFile extends FileIdentity {
  /** Project path, composed (NFC). */
  path: string;
  /** The real folder, and the name in it as the disk spells it. */
  folder: string;
  name: string;
}

export interface FolderScan {
  files: Map<string, ScannedFile>;
  /** The folders that were read, by absolute path, as they were before. */
  folders: Map<string, FileIdentity>;
  leftOut: LeftOutFile[];
}

export interface ScanPlace {
  /** The project's real folder. */
  root: string;
  /** The only names at its top that belong to the game; null: all. */
  visible: readonly string[] | null;
}

export function toIdentity({ size, mtimeMs, ctimeMs, ino }: Stats): FileIdentity {
  return { size, mtime: mtimeMs, ctime: ctimeMs, inode: ino };
}

export function isSameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
}

/**
 * Lists all files of a game with blocking calls, for the checkpoint thread. Names that are off limits (`.git`, keys, the
 * app's own folder) are not part of the game; links are never followed. Throws `E_TOO_LARGE`, and the system's error if the
 * root cannot be read.
 */
export function scanFolder({ root, visible }: ScanPlace, isStopped: () => boolean): FolderScan {
  const files = new Map<string, ScannedFile>();
  const folders = new Map<string, FileIdentity>();
  const leftOut: LeftOutFile[] = [];
  const waiting = [{ listed: '', absolute: root }];
  let count = 0;

  function take(listed: string, absolute: string, entry: Dirent): void {
    const name = entry.name.normalize('NFC');
    const projectPath = listed === '' ? name : `${listed}/${name}`;
    if (listed === '' && visible && !visible.includes(name)) return;
    if (toNameFault(name) !== null || projectPath.length > MAX_PATH) {
      const isNameable = isUnportable(name) || projectPath.length > MAX_PATH;
      if (isNameable) leftOut.push({ path: projectPath.slice(0, MAX_PATH), reason: 'name' });
      return;
    }
    if (entry.isSymbolicLink()) leftOut.push({ path: projectPath, reason: 'link' });
    else if (entry.isDirectory()) waiting.push({ listed: projectPath, absolute: path.join(absolute, entry.name) });
    else if (entry.isFile()) addFile(projectPath, absolute, entry.name);
    else leftOut.push({ path: projectPath, reason: 'special' });
  }

  function addFile(projectPath: string, folder: string, name: string): void {
    const known = files.get(projectPath);
    // Two names that differ only in their normal form: paths name the composed one.
    if (known && known.name === projectPath.slice(projectPath.lastIndexOf('/') + 1)) {
      leftOut.push({ path: projectPath, reason: 'name' });
      return;
    }
    // By its plain path, which is faster than through the folder's handle: bytes are only read through a handle.
    const stats = tryToLook(`${folder}${path.sep}${name}`);
    if (!stats) return;
    if (known) leftOut.push({ path: projectPath, reason: 'name' });
    if (!stats.isFile()) leftOut.push({ path: projectPath, reason: 'link' });
    else {
      const { size, mtimeMs: mtime, ctimeMs: ctime, ino: inode } = stats;
      files.set(projectPath, { path: projectPath, folder, name, size, mtime, ctime, inode });
    }
  }

  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    if (isStopped()) break;
    const { listed, absolute } = visit;
    try {
      const folder = openDirectory(absolute);
      try {
        folders.set(absolute, toIdentity(lstatSync(absolute)));
        for (const entry of readdirSync(folder.at('.'), { withFileTypes: true })) {
          take(listed, absolute, entry);
          count += 1;
          if (count > MAX_ENTRIES) throw toTooMany();
        }
      } finally {
        folder.close();
      }
    } catch (error) {
      if (listed === '' || (error instanceof AppError && error.code === 'E_TOO_LARGE')) throw error;
      // Removed during the scan, or replaced by a link: the next scan sees what is there then.
      if (isMissing(error) || error instanceof AppError) continue;
      leftOut.push({ path: listed, reason: toSystemCode(error) === 'ELOOP' ? 'link' : 'access' });
    }
  }
  return { files, folders, leftOut };
}

/** Returns the entry at a path; null if it is gone. Half as expensive as with `throwIfNoEntry` while nearly all exist. */
export function tryToLook(absolute: string): Stats | null {
  try {
    return lstatSync(absolute);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function toTooMany(): AppError {
  return new AppError('E_TOO_LARGE', `The game contains more than ${MAX_ENTRIES} files.`, {
    details: { path: '.', maxEntries: MAX_ENTRIES },
    reason: 'folder.tooLarge',
  });
}
