import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createSerialQueue } from '../../../shared/async.ts';
import type { ReviewFile } from '../../core/ports/workspace.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';

const FOLDER = 'reviews';

/** Creates the file for one game. `gameId` is an id of `FolderNames`, which contains no separators. */
export function createReviewFile(dataFolder: string, gameId: string): ReviewFile {
  const folder = path.join(dataFolder, FOLDER);
  const name = `${gameId}.json`;
  const file = path.join(folder, name);
  const queue = createSerialQueue();

  async function write(change: unknown): Promise<void> {
    try {
      if (change === null) return await rm(file, { force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeDurably(file, JSON.stringify(change), 0o600);
    } catch (error) {
      throw toIoError(error, name);
    }
  }

  return {
    async read() {
      const text = (await readPrivateFile(file, name))?.toString() ?? null;
      try {
        return text && JSON.parse(text);
      } catch {
        return text; // Not written by the app, which replaces the file atomically.
      }
    },
    write: (change) => queue.run(() => write(change)),
  };
}
