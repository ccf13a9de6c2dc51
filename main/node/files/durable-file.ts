import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { HeldFolder } from './held-folder.ts';
import { toSystemCode } from './io-error.ts';

/**
 * Own code instead of `write-file-atomic`: that library opens its temp file with `w` under a name that can be guessed
 * (a link planted there would be written through), follows a link at the target, and never syncs the folder, so a
 * rename it reported can be gone after a power cut.
 */

/** Refuses to follow a link in the last name and never waits on a FIFO. Windows has neither flag, nor needs them. */
export const NO_SURPRISES = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Makes a file, and never takes one that is there. */
export const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** Up to here bytes go to the system's memory while we wait; more would be felt. */
const SMALL_BYTES = 256 * 1024;

const waitForDisk = promisify(fsync);
const writeLater = promisify(write);

/** A name no one can guess, so that nobody can lay a link under it. */
export function toTempName(): string {
  return `${randomBytes(12).toString('hex')}.tmp`;
}

/** Writes all of `bytes`; `from` is where in the file they go, if not where it was left. */
export async function writeAll(handle: number, bytes: Uint8Array, from: number | null = null): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const position = from === null ? null : from + done;
    const left = bytes.length - done;
    done +=
      bytes.length <= SMALL_BYTES
        ? writeSync(handle, bytes, done, left, position)
        : (await writeLater(handle, bytes, done, Math.min(left, 16 * SMALL_BYTES), position)).bytesWritten;
  }
}

/**
 * Writes a file that must not exist yet and waits until the disk has its bytes. `owner` is kept where the system lets
 * us; with `name`, its folder, the disk has its name as well, which costs no second wait; with `lazy` nothing is waited for.
 */
export async function createDurably(
  file: string,
  bytes: Uint8Array | string,
  options: {
    mode?: number;
    owner?: { uid: number; gid: number };
    name?: Pick<HeldFolder, 'sync'>;
    lazy?: boolean;
  } = {},
): Promise<void> {
  const { mode, owner } = options;
  const handle = openSync(file, CREATE_NEW, mode ?? 0o644);
  try {
    await writeAll(handle, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    // The process's umask may have taken bits of the mode away.
    if (mode !== undefined) fchmodSync(handle, mode);
    if (owner) {
      try {
        fchownSync(handle, owner.uid, owner.gid);
      } catch {
        // Only root may give a file to someone else; for all others the file is theirs already or stays ours.
      }
    }
    if (!options.lazy) await Promise.all([waitForDisk(handle), options.name?.sync()]);
  } finally {
    closeSync(handle);
  }
}

/** Waits until the disk has the bytes of a file that was written before. */
export async function syncFile(file: string): Promise<void> {
  const handle = openSync(file, constants.O_RDWR | NO_SURPRISES);
  try {
    await waitForDisk(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes created, renamed and removed names of a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // A folder cannot be opened there, and NTFS journals names itself.
  const handle = openSync(folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  try {
    await waitForDisk(handle);
  } catch (error) {
    // Some network file systems refuse to sync folders; the rename itself has happened.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(toSystemCode(error) ?? '')) throw error;
  } finally {
    closeSync(handle);
  }
}

/**
 * Renames over the target. On Windows a virus scanner may hold a file for a moment, so it is tried for a second. One of
 * many goes through the pool of threads, so that they wait for the disk together and nobody else for all of them.
 */
export async function replaceFile(
  from: string,
  to: string,
  { isOneOfMany = false }: { isOneOfMany?: boolean } = {},
): Promise<void> {
  for (let wait = 10; ; wait *= 2) {
    try {
      return isOneOfMany ? await rename(from, to) : renameSync(from, to);
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
    rmSync(temp, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
