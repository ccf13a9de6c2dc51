import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { toProjectPath } from '../../shared/model/project-path.ts';

/** A file that may be sent, links resolved. */
export interface ServedFile {
  path: string;
  bytes: number;
}

/** What a deployed game brings along beside the engine; nothing else of a project is ever served. */
const PROJECT_FOLDERS = new Set(['game', 'icons', 'lib']);
const PROJECT_FILES = new Set(['manifest.json']);

/** True for paths that belong to the game, not to the engine. */
export function isGamePath(path: string): boolean {
  const slash = path.indexOf('/');
  return slash < 0 ? PROJECT_FILES.has(path) : PROJECT_FOLDERS.has(path.slice(0, slash));
}

/**
 * Finds what a path of the stage stands for: the project's for what a game brings along, else the engine's. Null when
 * it is not there, no plain file, off limits by name, or led elsewhere by a link.
 */
export async function findServedFile(
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
  return isGamePath(path) ? findInside(root, path, isGamePath) : findInside(engineDirectory, path, () => true);
}

async function findInside(
  folder: string,
  path: string,
  isServed: (path: string) => boolean,
): Promise<ServedFile | null> {
  try {
    const top = await realpath(folder);
    const real = await realpath(join(top, path));
    const inside = relative(top, real).split(sep).join('/');
    if (inside.startsWith('..') || !isServed(inside) || toProjectPath(inside) !== inside.normalize('NFC')) return null;
    const info = await stat(real);
    return info.isFile() ? { path: real, bytes: info.size } : null;
  } catch {
    // Not there, a name that is off limits behind a link, or not ours to read: to the engine all of these are “missing”.
    return null;
  }
}
