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
import { toSystemCode } from './io-error.ts';
import type { OpenDirectory } from './open-directory.ts';

/**
 * Own code instead of `write-file-atomic`: that library opens its temp file with `w` under a predictable name (it would
 * write through a link planted there), follows a link at the target, and never syncs the folder, so a rename that it
 * reported can be lost in a power cut.
 */

/** Refuses to follow a link in the last name and never blocks on a FIFO. Windows has neither flag and needs neither. */
export const NOFOLLOW_NONBLOCK = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Creates a file and never opens an existing one. */
export const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** Maximum for a blocking write into the page cache; larger writes would block noticeably. */
const MAX_BLOCKING_WRITE_BYTES = 256 * 1024;

const waitForDisk = promisify(fsync);
const writeLater = promisify(write);

/** The names that `toTempName` returns. */
export const TEMP_NAME = /^[0-9a-f]{24}\.tmp$/;

/** Returns an unpredictable name, so that no link can be planted under it. */
export function toTempName(): string {
  return `${randomBytes(12).toString('hex')}.tmp`;
}

/** Writes all of `bytes`; `from` is the position in the file, by default the current one. */
export async function writeAll(handle: number, bytes: Uint8Array, from: number | null = null): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const position = from === null ? null : from + done;
    const left = bytes.length - done;
    done +=
      bytes.length <= MAX_BLOCKING_WRITE_BYTES
        ? writeSync(handle, bytes, done, left, position)
        : (await writeLater(handle, bytes, done, Math.min(left, 16 * MAX_BLOCKING_WRITE_BYTES), position)).bytesWritten;
  }
}

/**
 * Writes a file that must not exist yet and waits until its bytes are synced. `owner` is kept where the system permits;
 * with `name`, its folder, the name is synced too, which costs no second wait; with `lazy` no sync is awaited.
 */
export async function createDurably(
  file: string,
  bytes: Uint8Array | string,
  options: {
    mode?: number;
    owner?: { uid: number; gid: number };
    name?: Pick<OpenDirectory, 'sync'>;
    lazy?: boolean;
  } = {},
): Promise<void> {
  const { mode, owner } = options;
  const handle = openSync(file, CREATE_NEW, mode ?? 0o644);
  try {
    await writeAll(handle, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    // The process's umask may have removed bits of the mode.
    if (mode !== undefined) fchmodSync(handle, mode);
    if (owner) {
      try {
        fchownSync(handle, owner.uid, owner.gid);
      } catch {
        // Only root may change the owner; for other users the file already belongs to the right owner, or stays theirs.
      }
    }
    if (!options.lazy) await Promise.all([waitForDisk(handle), options.name?.sync()]);
  } finally {
    closeSync(handle);
  }
}

/** Syncs the bytes of a file that was written before. */
export async function syncFile(file: string): Promise<void> {
  const handle = openSync(file, constants.O_RDWR | NOFOLLOW_NONBLOCK);
  try {
    await waitForDisk(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes created, renamed and removed names of a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open a folder, and NTFS journals names itself.
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
 * Renames over the target. On Windows a virus scanner may keep a file open for a moment, so the rename is retried for a
 * second. One of many uses the thread pool, so that they share one wait for the disk without blocking the event loop.
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

/** Replaces a file of the app as a whole: after a crash it has either the old or the new bytes. */
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
