import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeDurably } from '../files/durable-file.ts';
import { readPrivateFile } from '../files/private-file.ts';

const FOLDER = 'conversations';
const MAX_BYTES = 8 * 1024 * 1024;

/** Where what is known of a game's conversations is stored. */
export interface SessionIndexFile {
  /** Returns the stored value; null if there is none, or none that can be read. */
  read(): Promise<unknown>;
  write(index: unknown): Promise<void>;
}

/**
 * Creates the file for one game, in the app's own folder: an index in the game could be forged by its author. `projectId` is an id of
 * `FolderNames`, which contains no separators.
 */
export function createSessionIndexFile(dataFolder: string, projectId: string): SessionIndexFile {
  const folder = path.join(dataFolder, FOLDER);
  const name = `${projectId}.json`;
  return {
    async read() {
      try {
        const bytes = await readPrivateFile(path.join(folder, name), name, { maxBytes: MAX_BYTES });
        return bytes && JSON.parse(bytes.toString('utf8'));
      } catch {
        // It is derived from the logs, which are read again.
        return null;
      }
    },
    async write(index) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeDurably(path.join(folder, name), JSON.stringify(index), 0o600);
    },
  };
}
