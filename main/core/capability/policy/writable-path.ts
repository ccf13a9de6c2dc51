import { AppError } from '../../../../shared/errors.ts';
import { hasTooLongName, toWriteFault } from '../../../../shared/paths/portable-name.ts';
import { toTooLongName } from '../../../../shared/paths/too-long-name.ts';
import type { Reader } from '../../ports/reader.ts';
import { isClosed } from './closed-folders.ts';

type Located = Pick<Reader, 'locate'>;

export function toClosedError(path: string): AppError {
  return new AppError('E_DENY_PATH', `The project's rules put "${path}" off limits.`, {
    details: { path },
    hint: 'Work with other files.',
    reason: 'tool.folderClosed',
  });
}

/** Throws for a path that is closed itself or by its link target. */
export async function requireOpen(path: string, closed: readonly string[], reader: Located | undefined): Promise<void> {
  if (closed.length === 0) return;
  if (isClosed(path, closed)) throw toClosedError(path);
  const real = await findNearest(path, reader);
  if (real !== null && isClosed(real, closed)) throw toClosedError(path);
}

/**
 * Throws for a path that other programs execute or obey, itself or by its link target, and for a new file with a name that
 * cannot be stored.
 */
export async function requireWritable(path: string, reader: Located | undefined): Promise<void> {
  if (hasTooLongName(path) && !(await reader?.locate?.(path))) throw toTooLongName(path);
  const fault = toWriteFault(path) ?? toWriteFault((await findNearest(path, reader)) ?? '.');
  if (fault === null) return;
  throw new AppError('E_DENY_PATH', `"${path}" cannot be written: ${fault}.`, {
    details: { path },
    hint: 'Names that begin with a dot are for the user alone. Work with files of the game.',
    reason: 'path.denied',
  });
}

/**
 * Returns the real path of the nearest existing ancestor, which decides where a new file would be created. A path with
 * thousands of missing folders is searched by halves: each look-up costs the length of its path.
 */
async function findNearest(path: string, reader: Located | undefined): Promise<string | null> {
  if (!reader?.locate) return null;
  const there = await reader.locate(path);
  if (there !== null || path === '.') return there;
  const names = path.split('/');
  let nearest = await reader.locate('.');
  // A folder exists where one below it does.
  for (let existing = 0, missing = names.length; missing - existing > 1; ) {
    const middle = Math.floor((existing + missing) / 2);
    const real = await reader.locate(names.slice(0, middle).join('/'));
    if (real === null) missing = middle;
    else {
      existing = middle;
      nearest = real;
    }
  }
  return nearest;
}
