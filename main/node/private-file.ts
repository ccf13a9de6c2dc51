import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { NO_SURPRISES } from './durable-file.ts';
import { isMissing, toIoError, toSpecialFileError } from './io-error.ts';

/** Reads a file of the app's own as strict bytes: no link, no FIFO. Null when there is none. `name` is for errors. */
export async function readPrivateFile(file: string, name: string): Promise<Buffer | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | NO_SURPRISES);
    try {
      if (!(await handle.stat()).isFile()) throw toSpecialFileError(name);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw toIoError(error, name);
  }
}
