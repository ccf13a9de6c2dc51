import { mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { type AssetStore, toAssetBytes } from '../assets/asset-store.ts';
import { createDurably, TEMP_NAME, toTempName } from '../files/durable-file.ts';
import { isMissing, toIoError, toSystemCode } from '../files/io-error.ts';
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

/**
 * Writes the texts; creates the folder. All of them are written in a temporary folder beside it, which then gets its name: where the
 * folder is there, everything is. After a failure (`E_IO`, reason `replay.notWritten`) nothing is left, after a kill at most the
 * temporary folder, until the next replay to the same folder.
 */
export async function writeReplayed(
  target: string,
  files: ReadonlyMap<string, string>,
  assets: Pick<AssetStore, 'find'>,
): Promise<void> {
  let staging: string | null = null;
  try {
    const { dir, base } = path.parse(await toRealPath(target));
    await mkdir(dir, { recursive: true });
    await removeLeft(dir, base);
    staging = path.join(dir, `.${base}.${toTempName()}`);
    await mkdir(staging);
    for (const [name, text] of files) {
      const file = path.join(staging, toProjectPath(name));
      await mkdir(path.dirname(file), { recursive: true });
      const bytes = isAssetName(name) ? await toAssetBytes(assets, text, name) : toBytes(text, name);
      await createDurably(file, bytes, { lazy: true });
    }
    const place = path.join(dir, base);
    // Windows renames no folder to the name of another, not even of an empty one.
    await rmdir(place).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await rename(staging, place);
  } catch (error) {
    if (staging !== null) await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    throw new AppError('E_IO', 'The replay could not be written.', {
      details: { system: toSystemCode(error) ?? '' },
      reason: 'replay.notWritten',
      cause: error,
    });
  }
}

/** Removes what killed replays to this folder have left beside it. */
async function removeLeft(dir: string, base: string): Promise<void> {
  const start = `.${base}.`;
  for (const name of await readdir(dir)) {
    const isLeft = name.startsWith(start) && TEMP_NAME.test(name.slice(start.length));
    if (isLeft) await rm(path.join(dir, name), { recursive: true });
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
