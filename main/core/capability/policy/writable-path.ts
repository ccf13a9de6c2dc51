import { AppError } from '../../../../shared/errors.ts';
import { toWriteFault } from '../../../../shared/paths/portable-name.ts';
import type { Reader } from '../../ports/reader.ts';
import { isClosed } from './closed-folders.ts';

export function toClosedError(path: string): AppError {
  return new AppError('E_DENY_PATH', `The project's rules put "${path}" off limits.`, {
    details: { path },
    hint: 'Work with other files.',
    reason: 'tool.folderClosed',
  });
}

/** Throws for a path that is closed itself or by its link target. */
export async function requireOpen(path: string, closed: readonly string[], reader: Reader | undefined): Promise<void> {
  if (closed.length === 0) return;
  if (isClosed(path, closed)) throw toClosedError(path);
  const real = await findNearest(path, reader);
  if (real !== null && isClosed(real, closed)) throw toClosedError(path);
}

/** Throws for a path that other programs execute or obey, itself or by its link target. */
export async function requireWritable(path: string, reader: Reader | undefined): Promise<void> {
  const fault = toWriteFault(path) ?? toWriteFault((await findNearest(path, reader)) ?? '.');
  if (fault === null) return;
  throw new AppError('E_DENY_PATH', `"${path}" cannot be written: ${fault}.`, {
    details: { path },
    hint: 'Names that begin with a dot are for the user alone. Work with files of the game.',
    reason: 'path.denied',
  });
}

/** Returns the real path of the nearest existing ancestor, which decides where a new file would be created. */
async function findNearest(path: string, reader: Reader | undefined): Promise<string | null> {
  for (let there = path; reader?.locate; there = there.slice(0, Math.max(0, there.lastIndexOf('/'))) || '.') {
    const real = await reader.locate(there);
    if (real !== null || there === '.') return real;
  }
  return null;
}
