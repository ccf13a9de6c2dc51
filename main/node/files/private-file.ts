import { closeSync, constants, fstatSync, openSync, readFile, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { AppError } from '../../../shared/errors.ts';
import { NO_SURPRISES } from './durable-file.ts';
import { isMissing, toIoError, toSpecialFileError } from './io-error.ts';

/** More than any file of the app's own has; one that came with a game may claim to have gigabytes. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Up to here a file is read while we wait: a trip through the pool of threads takes longer. */
const SMALL_BYTES = 64 * 1024;

const readLater = promisify(readFile) as (handle: number) => Promise<Buffer>;

/** Reads a file of the app's own as strict bytes: no link, no FIFO. Null when there is none. `name` is for errors. */
export async function readPrivateFile(
  file: string,
  name: string,
  { maxBytes = MAX_BYTES }: { maxBytes?: number } = {},
): Promise<Buffer | null> {
  try {
    const handle = openSync(file, constants.O_RDONLY | NO_SURPRISES);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) throw toSpecialFileError(name);
      if (stats.size > maxBytes) throw tooLarge(name, maxBytes);
      return stats.size <= SMALL_BYTES ? readFileSync(handle) : await readLater(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw toIoError(error, name);
  }
}

function tooLarge(name: string, maxBytes: number): AppError {
  return new AppError('E_TOO_LARGE', `"${name}" is larger than ${maxBytes} bytes.`, {
    details: { path: name, maxBytes },
    hint: 'It was not made by this app; rename or remove it, then try again.',
    reason: 'file.tooLarge',
  });
}
