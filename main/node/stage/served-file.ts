import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isForbiddenName, toNameFault } from '../../../shared/model/portable-name.ts';

/** A file that may be sent, open for reading. The receiver closes it. */
export interface ServedFile {
  handle: FileHandle;
  bytes: number;
}

/** `NOFOLLOW`: a link that took the file's place is refused. `NONBLOCK`: a pipe does not block the open. Windows has neither. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What a deployed game brings along beside the engine; nothing else of a project is ever served. */
const PROJECT_FOLDERS = new Set(['game', 'icons', 'lib']);
const PROJECT_FILES = new Set(['manifest.json']);

/** True for paths that belong to the game, not to the engine. */
export function isGamePath(path: string): boolean {
  const slash = path.indexOf('/');
  return slash < 0 ? PROJECT_FILES.has(path) : PROJECT_FOLDERS.has(path.slice(0, slash));
}

/**
 * Opens what a path of the stage stands for: the project's for what a game brings along, else the engine's. Null when
 * it is not there, no plain file, off limits by name, or led elsewhere by a link. Where the path leads is checked again
 * after opening, so that a link swapped in between cannot lead outside.
 */
export async function openServedFile(
  { engineDirectory, root }: { engineDirectory: string; root: string },
  path: string,
): Promise<ServedFile | null> {
  return isGamePath(path) ? openInside(root, path, isGamePath) : openInside(engineDirectory, path, () => true);
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
    if (info.isFile() && (await realpath(join(top, path))) === real) {
      const { dev, ino } = await stat(real, { bigint: true });
      if (dev === info.dev && ino === info.ino) return { handle, bytes: Number(info.size) };
    }
  } catch {
    // Not there, a name that is off limits behind a link, or not ours to read: to the engine all of these are “missing”.
  }
  await handle?.close();
  return null;
}

/**
 * True when a path names only what may be asked for. A published game plays files with names that the app cannot have in a
 * path of its own, so such a name is served where its folder lists exactly that name. Devices, streams, short aliases and
 * names that a system trims are in no list.
 */
async function isServedName(top: string, path: string): Promise<boolean> {
  const names = path.split('/');
  for (const [index, name] of names.entries()) {
    if (name === '' || name === '.' || name === '..' || name.includes('\\') || isForbiddenName(name)) return false;
    // Compared as it is composed by the system (NFD), because that is how it was asked for.
    if (toNameFault(name.normalize('NFC')) === null) continue;
    if (!(await readdir(join(top, ...names.slice(0, index)))).includes(name)) return false;
  }
  return true;
}
