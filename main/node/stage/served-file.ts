import { constants } from 'node:fs';
import { type FileHandle, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isForbiddenName, toNameFault } from '../../../shared/paths/portable-name.ts';

/** A file that may be sent, open for reading. The receiver closes it. */
export interface ServedFile {
  handle: FileHandle;
  bytes: number;
}

/** `NOFOLLOW`: a link that replaced the file is refused. `NONBLOCK`: a pipe does not block the open. Windows has neither. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What a deployed game contains beside the engine; no other part of a project is ever served. */
const PROJECT_FOLDERS = new Set(['game', 'icons', 'lib']);
const PROJECT_FILES = new Set(['manifest.json']);

/** Returns whether a path belongs to the game, not to the engine. */
export function isGamePath(path: string): boolean {
  const slash = path.indexOf('/');
  return slash < 0 ? PROJECT_FILES.has(path) : PROJECT_FOLDERS.has(path.slice(0, slash));
}

/** What is served of an engine that came with a game; the rest of its folder is the user's. */
function isEnginePath(path: string): boolean {
  return path === 'index.html' || path === 'webgal-engine.json' || path.startsWith('assets/');
}

/** Returns whether anything is at a path of the game, also what `openServedFile` refuses. */
export async function isInGame(root: string, path: string): Promise<boolean> {
  return stat(join(root, path)).then(
    () => true,
    // A path that cannot be looked up may be there.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/**
 * Opens the file of a stage path: the project's for what a game contains, else the engine's. Null when it does not exist,
 * is no regular file, has a forbidden name, or leads elsewhere through a link. What was opened is checked after opening, so
 * that a link swapped in between cannot lead outside.
 */
export async function openServedFile(
  { engineDirectory, ownEngine, root }: { engineDirectory: string; ownEngine?: string | undefined; root: string },
  path: string,
): Promise<ServedFile | null> {
  if (isGamePath(path)) return openInside(root, path, isGamePath);
  if (ownEngine !== undefined) return isEnginePath(path) ? openInside(ownEngine, path, isEnginePath) : null;
  return openOfApp(engineDirectory, path);
}

/**
 * Opens a file of the app's own engine, which no game can change. In a package it is in the archive: what Electron opens then is a copy
 * with another name and other numbers, so that it cannot be compared as in `openInside`.
 */
async function openOfApp(folder: string, path: string): Promise<ServedFile | null> {
  let handle: FileHandle | null = null;
  try {
    if (!(await isServedName(folder, path))) return null;
    handle = await open(join(folder, path), OPEN_FLAGS);
    const info = await handle.stat();
    if (info.isFile()) return { handle, bytes: info.size };
  } catch {
    // Missing, or no name of a file.
  }
  await handle?.close();
  return null;
}

async function openInside(
  folder: string,
  path: string,
  isServed: (path: string) => boolean,
): Promise<ServedFile | null> {
  let handle: FileHandle | null = null;
  try {
    const top = await realpath(folder);
    if (!(await isServedName(top, path))) return null;
    const real = await realpath(join(top, path));
    const inside = relative(top, real).split(sep).join('/');
    if (!isServed(inside) || !(await isServedName(top, inside))) return null;
    handle = await open(real, OPEN_FLAGS);
    const info = await handle.stat({ bigint: true });
    if (info.isFile() && (await isOpened(handle, real)) && (await realpath(join(top, path))) === real) {
      const { dev, ino } = await stat(real, { bigint: true });
      if (dev === info.dev && ino === info.ino) return { handle, bytes: Number(info.size) };
    }
  } catch {
    // Missing, a forbidden name behind a link, or access denied: for the engine all of these are “missing”.
  }
  await handle?.close();
  return null;
}

/**
 * Returns whether a handle is of the file at `real`, as far as the system tells: a folder and a link can change places between any
 * two looks at a path, also before and after the open.
 */
async function isOpened(handle: FileHandle, real: string): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null);
  return opened === null || opened === real;
}

/**
 * Returns whether a path contains only permitted names. A published game plays files with names that the app does not
 * allow in its own paths, so such a name is served where its folder lists exactly that name. Devices, streams, short
 * aliases and names that a system trims are not listed by any folder.
 */
async function isServedName(top: string, path: string): Promise<boolean> {
  const names = path.split('/');
  for (const [index, name] of names.entries()) {
    if (name === '' || name === '.' || name === '..' || name.includes('\\') || isForbiddenName(name)) return false;
    // Checked in the composed form; compared as requested, which may be decomposed (NFD) as on a Mac's disk.
    if (toNameFault(name.normalize('NFC')) === null) continue;
    if (!(await readdir(join(top, ...names.slice(0, index)))).includes(name)) return false;
  }
  return true;
}
