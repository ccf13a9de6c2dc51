import { closeSync, constants, fstatSync, openSync, readFile, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { AppError } from '../../../shared/errors.ts';
import { NOFOLLOW_NONBLOCK } from './durable-file.ts';

import { isMissing, toIoError, toSpecialFileError } from './io-error.ts';

/** Larger than any file of the app; one that came with a game may have gigabytes. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Maximum for a blocking read: a round trip through the thread pool takes longer. */
const MAX_BLOCKING_READ_BYTES = 64 * 1024;

const readLater = promisify(readFile) as (handle: number) => Promise<Buffer>;

/** Reads a file of the app as strict bytes: no link, no FIFO. Null when it does not exist. `name` is for errors. */
export async function readPrivateFile(
  file: string,
  name: string,
  { maxBytes = MAX_BYTES }: { maxBytes?: number } = {},
): Promise<Buffer | null> {
  try {
    const handle = openSync(file, constants.O_RDONLY | NOFOLLOW_NONBLOCK);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) throw toSpecialFileError(name);
      if (stats.size > maxBytes) throw tooLarge(name, maxBytes);
      return stats.size <= MAX_BLOCKING_READ_BYTES ? readFileSync(handle) : await readLater(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw toIoError(error, name);
  }
}

/** Returns the text of a file that came with a game; empty when it is missing, too large, a link or not a regular file. */
export async function readTextOrNone(file: string, maxBytes: number): Promise<string> {
  const bytes = await readPrivateFile(file, path.basename(file), { maxBytes }).catch(() => null);
  return bytes?.toString() ?? '';
}

function tooLarge(name: string, maxBytes: number): AppError {
  return new AppError('E_TOO_LARGE', `"${name}" is larger than ${maxBytes} bytes.`, {
    details: { path: name, maxBytes },
    hint: 'It was not made by this app; rename or remove it, then try again.',
    reason: 'file.tooLarge',
  });
}
