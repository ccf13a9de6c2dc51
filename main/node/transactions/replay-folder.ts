import { mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { type AssetStore, toAssetBytes } from '../assets/asset-store.ts';
import { createDurably, toTempName } from '../files/durable-file.ts';
import { isMissing, toIoError, toSystemCode } from '../files/io-error.ts';
import { toBytes } from '../files/strict-text.ts';

/** A folder that a replay which was killed has left in its target. */
const LEFT_NAME = /^\.[0-9a-f]{24}\.tmp$/;
/** Most of a game lies in this folder. */
const GAME_FOLDER = 'game';

/** Throws unless the folder is missing or empty, but for what a killed replay left, and outside the game. */
export async function requireEmptyTarget(target: string, game: string): Promise<void> {
  const relative = path.relative(await realpath(game), await toRealPath(target));
  if (relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative))) {
    throw new AppError('E_BAD_ARGS', 'The target is inside the game.', { reason: 'replay.insideGame' });
  }
  try {
    if ((await readdir(target)).some((name) => !LEFT_NAME.test(name))) {
      throw new AppError('E_CONFLICT', 'The target is not empty.', { reason: 'replay.notEmpty' });
    }
  } catch (error) {
    if (!isMissing(error)) throw toIoError(error, path.basename(target));
  }
}

/**
 * Writes the texts; creates the folder. All of them are written in a temporary folder and then get their names, those of the game's
 * own folder last: where it is there, everything is. After a failure (`E_IO`, reason
 * `replay.notWritten`) nothing is left, after a kill at most the temporary folder.
 */
export async function writeReplayed(
  target: string,
  files: ReadonlyMap<string, string>,
  assets: Pick<AssetStore, 'find'>,
): Promise<void> {
  const staging = path.join(target, `.${toTempName()}`);
  const moved: string[] = [];
  try {
    await mkdir(target, { recursive: true });
    for (const name of await readdir(target)) {
      if (LEFT_NAME.test(name)) await rm(path.join(target, name), { recursive: true });
    }
    await mkdir(staging);
    for (const [name, text] of files) {
      const file = path.join(staging, toProjectPath(name));
      await mkdir(path.dirname(file), { recursive: true });
      const bytes = isAssetName(name) ? await toAssetBytes(assets, text, name) : toBytes(text, name);
      await createDurably(file, bytes, { lazy: true });
    }
    const names = await readdir(staging);
    for (const name of names.sort((a, b) => Number(a === GAME_FOLDER) - Number(b === GAME_FOLDER))) {
      await rename(path.join(staging, name), path.join(target, name));
      moved.push(name);
    }
    await rmdir(staging);
  } catch (error) {
    for (const one of [staging, ...moved.map((name) => path.join(target, name))]) {
      await rm(one, { recursive: true, force: true }).catch(() => undefined);
    }
    throw new AppError('E_IO', 'The replay could not be written.', {
      details: { system: toSystemCode(error) ?? '' },
      reason: 'replay.notWritten',
      cause: error,
    });
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
