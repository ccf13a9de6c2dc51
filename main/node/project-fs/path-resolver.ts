import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { isForbiddenName } from '../../../shared/paths/portable-name.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { isMissing, toFolderError, toIoError } from '../files/io-error.ts';
import { readNames } from '../files/read-names.ts';

/** The real location of a path of the project. No name in `absolute` is a link. */
export interface Place {
  /** Relative to the project root, as the disk spells it. */
  path: string;
  absolute: string;
}

/**
 * The only way from an input path to a file of the project; reader, writer and every function that opens a file use it.
 * Forbidden names are refused both in the input and in the path it resolves to.
 */
export interface PathResolver {
  /** The project root itself, links resolved. */
  root(): Promise<string>;
  /**
   * Follows links that stay inside. Null when nothing exists there; throws `E_DENY_PATH` when it leads out or to a
   * forbidden name.
   */
  resolve(input: string): Promise<Place | null>;
  /**
   * Resolves the target of a write. The parent folders may not exist yet. The name itself may not be a link: writing
   * through one could change a file that the user was never shown.
   */
  resolveForWriting(input: string): Promise<{ place: Place; stats: Stats | null }>;
  /** Throws unless the opened file is still the one that `place` names: a folder may have become a link in between. */
  verify(handle: number, place: Place): void;
  isVisible(projectPath: string): boolean;
}

function denyLink(input: string): AppError {
  return new AppError('E_DENY_PATH', `"${input}" is a link that leads out of the project or to a forbidden place.`, {
    details: { path: input },
    hint: 'Use the file itself, by a path inside the project.',
    reason: 'path.link',
  });
}

/** Returns the path as the disk spells it: names on a Mac's disk may be decomposed (NFD), paths of the app are composed. */
function findDecomposed(root: string, projectPath: string): string | null {
  let folder = root;
  for (const part of projectPath.split('/')) {
    const names = readNames(folder);
    const name = names.includes(part) ? part : names.find((candidate) => candidate.normalize('NFC') === part);
    if (name === undefined) return null;
    folder = path.join(folder, name);
  }
  return folder;
}

/**
 * Creates the resolver. `visible` lists the only names at the top of the root that exist for the app: used when the user
 * opened a folder `game` among unrelated files.
 */
export function createPathResolver(root: string, options: { visible?: readonly string[] } = {}): PathResolver {
  let realRoot: string | undefined;

  function findRoot(): string {
    try {
      realRoot ??= realpathSync.native(root);
      return realRoot;
    } catch (error) {
      throw toIoError(error, '.');
    }
  }

  function isVisible(projectPath: string): boolean {
    if (!options.visible || projectPath === '.') return true;
    return options.visible.includes(projectPath.split('/')[0] ?? '');
  }

  function requireVisible(projectPath: string): void {
    if (isVisible(projectPath)) return;
    throw new AppError('E_DENY_PATH', `"${projectPath}" is outside of the open game.`, {
      details: { path: projectPath },
      hint: `Only ${options.visible?.join(', ')} can be used here.`,
      reason: 'path.denied',
    });
  }

  /** Both are real paths, so comparing their texts compares their locations. */
  function toPlace(absolute: string, input: string): Place {
    const relative = path.relative(findRoot(), absolute);
    if (relative === '') return { path: '.', absolute };
    const parts = relative.split(path.sep);
    if (path.isAbsolute(relative) || parts[0] === '..' || parts.some(isForbiddenName)) throw denyLink(input);
    const projectPath = parts.join('/').normalize('NFC');
    if (!isVisible(projectPath)) throw denyLink(input);
    return { path: projectPath, absolute };
  }

  function findReal(projectPath: string): string | null {
    const top = findRoot();
    try {
      return realpathSync.native(path.join(top, projectPath));
    } catch (error) {
      if (!isMissing(error)) throw toIoError(error, projectPath);
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: only names that have a decomposed form are searched again
    if (/^[\u0000-\u007f]*$/.test(projectPath)) return null;
    try {
      const found = findDecomposed(top, projectPath);
      return found && realpathSync.native(found);
    } catch (error) {
      if (isMissing(error)) return null;
      throw toIoError(error, projectPath);
    }
  }

  function resolve(input: string): Place | null {
    const projectPath = toProjectPath(input);
    requireVisible(projectPath);
    const real = findReal(projectPath);
    return real === null ? null : toPlace(real, projectPath);
  }

  return {
    root: async () => findRoot(),
    resolve: async (input) => resolve(input),
    isVisible,

    async resolveForWriting(input) {
      const projectPath = toProjectPath(input);
      requireVisible(projectPath);
      if (projectPath === '.') throw toFolderError(projectPath);
      const parts = projectPath.split('/');
      const missing: string[] = [];
      let parent: Place | null = null;
      // The deepest folder that exists decides where the missing ones would be created.
      for (let depth = parts.length - 1; !parent; depth -= 1) {
        parent = depth === 0 ? { path: '.', absolute: findRoot() } : resolve(parts.slice(0, depth).join('/'));
        if (!parent) missing.unshift(parts[depth - 1] ?? '');
      }
      const name = parts[parts.length - 1] ?? '';
      let absolute = path.join(parent.absolute, ...missing, name);
      if (missing.length > 0) return { place: toPlace(absolute, projectPath), stats: null };
      let stats = lookUp(absolute, projectPath);
      if (!stats) {
        const decomposed = inWords(projectPath, () => findDecomposed(parent.absolute, name));
        if (decomposed) {
          absolute = decomposed;
          stats = lookUp(absolute, projectPath);
        }
      }
      if (stats?.isSymbolicLink()) throw denyLink(projectPath);
      if (!stats) return { place: toPlace(absolute, projectPath), stats: null };
      // On a disk that ignores case, the disk's spelling is the file's name.
      const real = inWords(projectPath, () => realpathSync.native(absolute));
      return { place: toPlace(real, projectPath), stats };
    },

    verify(handle, place) {
      if (process.platform === 'linux') {
        const actual = tryTo(() => readlinkSync(`/proc/self/fd/${handle}`));
        // A file replaced since it was opened is still the requested file.
        if (actual !== null) {
          if (actual === place.absolute || actual === `${place.absolute} (deleted)`) return;
          throw denyLink(place.path);
        }
      }
      const real = tryTo(() => realpathSync.native(place.absolute));
      if (real === null || real === place.absolute) return;
      throw denyLink(place.path);
    },
  };
}

/** Returns null for any error of the system. */
function tryTo<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function inWords<T>(projectPath: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw toIoError(error, projectPath);
  }
}

function lookUp(absolute: string, projectPath: string): Stats | null {
  try {
    return lstatSync(absolute);
  } catch (error) {
    if (isMissing(error)) return null;
    throw toIoError(error, projectPath);
  }
}
