import { closeSync, constants, existsSync, fsync, openSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../../shared/errors.ts';
import { toSystemCode } from './io-error.ts';

/**
 * An open folder. Where the system has paths through handles (Linux), operations on `at(name)` act on this very folder
 * even if its path is replaced meanwhile; elsewhere `isThere` narrows the race.
 *
 * Names are handled with blocking calls: each takes a few microseconds, a round trip through the thread pool about fifty.
 * Operations that can take long, such as a sync or a long text, never block.
 */
export interface OpenDirectory {
  absolute: string;
  /** Returns a path to an entry of the folder, valid until `close`. */
  at(name: string): string;
  /** Returns whether the folder is still at its path. */
  isThere(): boolean;
  /** Makes created, renamed and removed names survive a power cut. */
  sync(): Promise<void>;
  close(): void;
}

const DIRECTORY_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const HANDLE_PATHS = '/proc/self/fd';
const hasHandlePaths = process.platform === 'linux' && existsSync(HANDLE_PATHS);
const waitForDisk = promisify(fsync);

function isReal(absolute: string): boolean {
  try {
    return realpathSync.native(absolute) === absolute;
  } catch {
    return false; // Removed or unreadable: missing in either case.
  }
}

/**
 * Opens a folder. `absolute` contains no link in any of its names. Throws the system's error when there is no such
 * folder, and `E_DENY_PATH` when one of its names has become a link.
 */
export function openDirectory(absolute: string): OpenDirectory {
  const handle = process.platform === 'win32' ? null : openSync(absolute, DIRECTORY_FLAGS);
  const here = hasHandlePaths && handle !== null ? `${HANDLE_PATHS}/${handle}` : null;
  const isThere = () => (here === null ? isReal(absolute) : readlinkSync(here) === absolute);
  const close = () => {
    try {
      if (handle !== null) closeSync(handle);
    } catch {
      // Read-only handle: closing it loses no write.
    }
  };
  if (!isThere()) {
    close();
    throw new AppError('E_DENY_PATH', `"${path.basename(absolute)}" was replaced by a link.`, {
      hint: 'List the folder again; only real folders of the project are used.',
      reason: 'path.link',
    });
  }
  return {
    absolute,
    at: (name) => (here === null ? path.join(absolute, name) : `${here}/${name}`),
    isThere,
    async sync() {
      if (handle === null) return; // Windows cannot open a folder, and NTFS journals names itself.
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
