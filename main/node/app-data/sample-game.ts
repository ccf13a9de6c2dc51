import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { createDurably, toTempName } from '../files/durable-file.ts';
import { isMissing, toIoError, toSystemCode } from '../files/io-error.ts';

/** The folder name of the sample's copy. */
const NAME = 'Before the Rain Stops';

/** Copies with plain reads rather than `cp`: inside Electron the sample is in an archive that only plain reads support. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) await copyFolder(source, target);
    else await createDurably(target, await readFile(source));
  }
}

async function exists(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}

/**
 * Copies the sample into the user's folder of games and returns the copy's folder. An existing copy may have changes and
 * is used unchanged; `fresh` creates another one beside it. The copy appears complete or not at all.
 */
export async function copySample(options: { sample: string; documents: string; fresh: boolean }): Promise<string> {
  const shelf = options.documents;
  try {
    await mkdir(shelf, { recursive: true });
    if (!options.fresh && (await exists(path.join(shelf, NAME, 'game')))) return path.join(shelf, NAME);
    const temp = path.join(shelf, `.${toTempName()}`);
    try {
      await copyFolder(options.sample, temp);
      for (let number = 1; number < 1000; number += 1) {
        const target = path.join(shelf, number === 1 ? NAME : `${NAME} ${number}`);
        if (await exists(target)) continue;
        try {
          await rename(temp, target);
          return target;
        } catch (error) {
          // Another process created it at this moment: try the next number.
          if (!['EEXIST', 'ENOTEMPTY'].includes(toSystemCode(error) ?? '')) throw error;
        }
      }
    } finally {
      await rm(temp, { recursive: true, force: true });
    }
  } catch (error) {
    throw toIoError(error, path.basename(shelf));
  }
  throw new AppError('E_IO', 'There are too many copies of the sample.', { reason: 'file.io' });
}
