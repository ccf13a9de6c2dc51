import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { createDurably, toTempName } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';

/** What systems put into folders by themselves. */
const LITTER = ['.DS_Store', 'Thumbs.db', 'desktop.ini', '.localized', '.directory'];
/** Where writers look for a place to put their pictures and music. */
const FOLDERS = ['background', 'figure', 'bgm', 'vocal'];

/** True for a folder with nothing in it that somebody put there: a new game is offered only in such a one. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => null);
  return names?.every((name) => LITTER.includes(name)) ?? false;
}

/** Writes a new game into an empty folder. It appears whole or not at all; `E_CONFLICT` when something is there by now. */
export async function writeNewGame(folder: string, files: readonly { path: string; text: string }[]): Promise<void> {
  if (!(await isEmptyFolder(folder))) throw toNotEmpty(folder);
  const temp = path.join(folder, `.${toTempName()}`);
  try {
    for (const name of FOLDERS) await mkdir(path.join(temp, 'game', name), { recursive: true });
    for (const { path: file, text } of files) {
      await mkdir(path.dirname(path.join(temp, file)), { recursive: true });
      await createDurably(path.join(temp, file), text);
    }
    await rename(path.join(temp, 'game'), path.join(folder, 'game'));
  } catch (error) {
    throw toIoError(error, path.basename(folder));
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

function toNotEmpty(folder: string): AppError {
  const name = path.basename(folder);
  return new AppError('E_CONFLICT', `"${name}" is not empty.`, {
    details: { folder: name },
    hint: 'Choose an empty folder for a new game.',
    reason: 'project.notEmpty',
  });
}
