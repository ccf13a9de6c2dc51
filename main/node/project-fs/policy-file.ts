import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { PolicyFile } from '../../core/ports/workspace.ts';
import { NOFOLLOW_NONBLOCK } from '../files/durable-file.ts';
import { isMissing, toIoError, toSpecialFileError } from '../files/io-error.ts';
import { toText } from '../files/strict-text.ts';
import type { AgentFolder } from './agent-folder.ts';

/** In `.webgal_agent`, where no tool can write. */
const FILE = 'policy.json';
const MAX_BYTES = 64 * 1024;

/** Creates the reader of a game's policy file. Read through the app's folder: no link, no FIFO, and limited in size. */
export function createPolicyFile(folder: AgentFolder): PolicyFile {
  return {
    async read() {
      const directory = await folder.find('');
      if (directory === null) return null;
      try {
        // Read before each call and small, so not worth a round trip through the thread pool.
        const handle = openSync(path.join(directory, FILE), constants.O_RDONLY | NOFOLLOW_NONBLOCK);
        try {
          const stats = fstatSync(handle);
          if (!stats.isFile()) throw toSpecialFileError(FILE);
          const buffer = Buffer.alloc(MAX_BYTES + 1);
          let length = 0;
          for (let last = -1; last !== 0 && length < buffer.length; length += last) {
            last = readSync(handle, buffer, length, buffer.length - length, length);
          }
          if (length > MAX_BYTES) throw new AppError('E_TOO_LARGE', `it is larger than ${MAX_BYTES} bytes`);
          return toText(buffer.subarray(0, length), FILE);
        } finally {
          closeSync(handle);
        }
      } catch (error) {
        if (isMissing(error)) return null;
        throw toIoError(error, FILE);
      }
    },
  };
}
