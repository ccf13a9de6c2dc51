import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { createDurably } from '../files/durable-file.ts';
import { isMissing, toIoError } from '../files/io-error.ts';
import { toBytes } from '../files/strict-text.ts';

/** Throws unless the folder is missing or empty, and outside the game. */
export async function requireEmptyTarget(target: string, game: string): Promise<void> {
  const relative = path.relative(await realpath(game), await toRealPath(target));
  if (relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative))) {
    throw new AppError('E_BAD_ARGS', 'The target is inside the game.', { reason: 'replay.insideGame' });
  }
  try {
    if ((await readdir(target)).length > 0) {
      throw new AppError('E_CONFLICT', 'The target is not empty.', { reason: 'replay.notEmpty' });
    }
  } catch (error) {
    if (!isMissing(error)) throw toIoError(error, path.basename(target));
  }
}

/** Writes the texts; creates the folder. After a failure the files that were written are removed. */
export async function writeReplayed(target: string, files: ReadonlyMap<string, string>): Promise<void> {
  const written: string[] = [];
  try {
    await mkdir(target, { recursive: true });
    for (const [name, text] of files) {
      const file = path.join(target, toProjectPath(name));
      await mkdir(path.dirname(file), { recursive: true });
      written.push(file);
      await createDurably(file, toBytes(text, name), { lazy: true });
    }
  } catch (error) {
    for (const file of written) await rm(file, { force: true }).catch(() => undefined);
    throw toIoError(error, path.basename(target));
  }
}

/** Resolves links in the part of a path that exists. */
async function toRealPath(place: string): Promise<string> {
  const parent = path.dirname(place);
  try {
    return await realpath(place);
  } catch (error) {
    if (!isMissing(error) || parent === place) throw toIoError(error, path.basename(place));
    return path.join(await toRealPath(parent), path.basename(place));
  }
}
