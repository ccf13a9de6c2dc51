import { realpathSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { isForbiddenName } from '../../../shared/paths/portable-name.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { isMissing, toIoError, toSystemCode } from '../files/io-error.ts';
import { readNames } from '../files/read-names.ts';

/** The real location of a path of the project. No name in `absolute` is a link. */
export interface Place {
  /** Relative to the project root, as the disk spells it. */
  path: string;
  absolute: string;
}

/** Maps paths of a project to the disk. Both the input and the path it resolves to are checked for forbidden names. */
export interface ProjectPlaces {
  findRoot(): string;
  isVisible(projectPath: string): boolean;
  /** Throws `E_DENY_PATH` for a path that does not exist for the app. */
  requireVisible(projectPath: string): void;
  /** Both `absolute` and the root are real paths, so comparing their texts compares their locations. */
  toPlace(absolute: string, input: string): Place;
  /** Follows links that stay inside. Null when nothing exists there. */
  resolve(input: string): Place | null;
}

/** `visible` lists the only names at the top of the root that exist for the app. */
export function createProjectPlaces(root: string, options: { visible?: readonly string[] }): ProjectPlaces {
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
      // What has a name that no disk takes is not there.
      if (toSystemCode(error) === 'ENAMETOOLONG') return null;
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

  return { findRoot, isVisible, requireVisible, toPlace, resolve };
}

export function denyLink(input: string): AppError {
  return new AppError('E_DENY_PATH', `"${input}" is a link that leads out of the project or to a forbidden place.`, {
    details: { path: input },
    hint: 'Use the file itself, by a path inside the project.',
    reason: 'path.link',
  });
}

/** Returns the path as the disk spells it: names on a Mac's disk may be decomposed (NFD), paths of the app are composed. */
export function findDecomposed(root: string, projectPath: string): string | null {
  let folder = root;
  for (const part of projectPath.split('/')) {
    const names = readNames(folder);
    const name = names.includes(part) ? part : names.find((candidate) => candidate.normalize('NFC') === part);
    if (name === undefined) return null;
    folder = path.join(folder, name);
  }
  return folder;
}
