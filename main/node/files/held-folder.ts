import { closeSync, constants, existsSync, fsync, openSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../../shared/errors.ts';
import { toSystemCode } from './io-error.ts';

/**
 * A folder that is held open. Where the system has paths through handles (Linux), what is done at `at(name)` is done in
 * this very folder, whatever is put in its place meanwhile; elsewhere `isThere` narrows the gap.
 *
 * Names are handled with blocking calls: each takes a few microseconds, where a trip through the pool of threads takes
 * fifty. What can take long, a wait for the disk or a long text, never blocks.
 */
export interface HeldFolder {
  absolute: string;
  /** A path to something in the folder, good until `close`. */
  at(name: string): string;
  /** Whether the folder still lies where it was found. */
  isThere(): boolean;
  /** Makes created, renamed and removed names survive a power cut. */
  sync(): Promise<void>;
  close(): void;
}

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const HANDLES = '/proc/self/fd';
const hasHandlePaths = process.platform === 'linux' && existsSync(HANDLES);
const waitForDisk = promisify(fsync);

function isReal(absolute: string): boolean {
  try {
    return realpathSync.native(absolute) === absolute;
  } catch {
    return false; // Gone, or hidden from us: not there in any case.
  }
}

/**
 * `absolute` holds no link in any of its names. Throws what the system throws when there is no such folder, and
 * `E_DENY_PATH` when one of its names has become a link.
 */
export function holdFolder(absolute: string): HeldFolder {
  const handle = process.platform === 'win32' ? null : openSync(absolute, FOLDER);
  const here = hasHandlePaths && handle !== null ? `${HANDLES}/${handle}` : null;
  const isThere = () => (here === null ? isReal(absolute) : readlinkSync(here) === absolute);
  const close = () => {
    try {
      if (handle !== null) closeSync(handle);
    } catch {
      // Nothing was written through it, and what was done in the folder is done.
    }
  };
  if (!isThere()) {
    close();
    throw new AppError('E_DENY_PATH', `"${path.basename(absolute)}" was replaced by a link.`, {
      hint: 'Look at the folder again; only real folders of the project are used.',
      reason: 'path.link',
    });
  }
  return {
    absolute,
    at: (name) => (here === null ? path.join(absolute, name) : `${here}/${name}`),
    isThere,
    async sync() {
      if (handle === null) return; // Windows opens no folders, and NTFS journals names itself.
      try {
        await waitForDisk(handle);
      } catch (error) {
        // Some network file systems refuse to sync folders; the rename itself has happened.
        if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(toSystemCode(error) ?? '')) throw error;
      }
    },
    close,
  };
}
