import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { toProjectPath } from '../../shared/model/project-path.ts';

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
  try {
    // Checks names; what lies on disk may be composed differently (NFD), so the path is used as it was asked for.
    if (toProjectPath(path) !== path.normalize('NFC')) return null;
  } catch {
    // Off limits and not there look the same from outside.
    return null;
  }
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
    const real = await realpath(join(top, path));
    const inside = relative(top, real).split(sep).join('/');
    if (inside.startsWith('..') || !isServed(inside) || toProjectPath(inside) !== inside.normalize('NFC')) return null;
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
