import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toSystemCode } from './io-error.ts';

/**
 * Own code instead of `write-file-atomic`: that library opens its temp file with `w` under a name that can be guessed
 * (a link planted there would be written through), follows a link at the target, and never syncs the folder, so a
 * rename it reported can be gone after a power cut.
 */

/** Refuses to follow a link in the last name and never waits on a FIFO. Windows has neither flag, nor needs them. */
export const NO_SURPRISES = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** A name no one can guess, so that nobody can lay a link under it. */
export function toTempName(): string {
  return `${randomBytes(12).toString('hex')}.tmp`;
}

/**
 * Writes a file that must not exist yet and waits until the disk has its bytes. `owner` is kept where the system lets
 * us; with `name` the disk has its name as well, which costs no second wait; with `lazy` nothing is waited for.
 */
export async function createDurably(
  file: string,
  bytes: Uint8Array | string,
  options: { mode?: number; owner?: { uid: number; gid: number }; name?: boolean; lazy?: boolean } = {},
): Promise<void> {
  const handle = await open(file, CREATE_NEW, options.mode ?? 0o644);
  try {
    await handle.writeFile(bytes);
    // The process's umask may have taken bits of the mode away.
    if (options.mode !== undefined) await handle.chmod(options.mode);
    if (options.owner) {
      // Only root may give a file to someone else; for all others the file is theirs already or stays ours.
      await handle.chown(options.owner.uid, options.owner.gid).catch(() => undefined);
    }
    if (!options.lazy) await Promise.all([handle.sync(), options.name && syncFolder(path.dirname(file))]);
  } finally {
    await handle.close();
  }
}

/** Waits until the disk has the bytes of a file that was written before. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, constants.O_RDWR | NO_SURPRISES);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes created, renamed and removed names of a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // A folder cannot be opened there, and NTFS journals names itself.
  const handle = await open(folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems refuse to sync folders; the rename itself has happened.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(toSystemCode(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

/** Renames over the target. On Windows a virus scanner may hold a file for a moment, so it is tried for a second. */
export async function replaceFile(from: string, to: string): Promise<void> {
  for (let wait = 10; ; wait *= 2) {
    try {
      return await rename(from, to);
    } catch (error) {
      const held = ['EPERM', 'EACCES', 'EBUSY'].includes(toSystemCode(error) ?? '');
      if (process.platform !== 'win32' || !held || wait > 640) throw error;
      await sleep(wait);
    }
  }
}

/** Replaces a file of the app's own as a whole: after a crash it holds the old bytes or the new ones. */
export async function writeDurably(file: string, bytes: Uint8Array | string, mode?: number): Promise<void> {
  const folder = path.dirname(file);
  const temp = path.join(folder, `.${toTempName()}`);
  try {
    await createDurably(temp, bytes, mode === undefined ? {} : { mode });
    await replaceFile(temp, file);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
