import { lstatSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { isMissing, toFolderError, toIoError } from '../files/io-error.ts';
import { denyLink, findDecomposed, type Place, type ProjectPlaces } from './project-places.ts';

/** Does what `PathResolver.resolveForWriting` does. */
export function resolveForWriting(places: ProjectPlaces, input: string): { place: Place; stats: Stats | null } {
  const { findRoot, toPlace } = places;
  const projectPath = toProjectPath(input);
  places.requireVisible(projectPath);
  if (projectPath === '.') throw toFolderError(projectPath);
  const parts = projectPath.split('/');
  const missing: string[] = [];
  let parent: Place | null = null;
  // The deepest folder that exists decides where the missing ones would be created.
  for (let depth = parts.length - 1; !parent; depth -= 1) {
    parent = depth === 0 ? { path: '.', absolute: findRoot() } : places.resolve(parts.slice(0, depth).join('/'));
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
  const real = inWords(projectPath, () => findReal(absolute));
  // Another program has removed it since: the caller compares versions and reports a conflict.
  return real === null
    ? { place: toPlace(absolute, projectPath), stats: null }
    : { place: toPlace(real, projectPath), stats };
}

function findReal(absolute: string): string | null {
  try {
    return realpathSync.native(absolute);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
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
