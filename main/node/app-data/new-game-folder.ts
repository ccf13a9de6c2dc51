import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { createDurably, toTempName } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';

/** Files that operating systems create by themselves. */
const SYSTEM_FILES = ['.DS_Store', 'Thumbs.db', 'desktop.ini', '.localized', '.directory'];
/** Where the user looks for a place for pictures and music. */
const FOLDERS = ['background', 'figure', 'bgm', 'vocal'];

/** Returns whether a folder has no files except those of the system: a new game is offered only in such a folder. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => null);
  return names?.every((name) => SYSTEM_FILES.includes(name)) ?? false;
}

/**
 * Writes a new game into an empty folder. It appears complete or not at all; throws `E_CONFLICT` when the folder is not
 * empty any more.
 */
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
