import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';

const KEY_BYTES = 32;

/**
 * Opaque ids for folders: the same folder has the same id on every start, and a page cannot invent one. An id is a keyed
 * hash; only this module maps it to its folder.
 */
export interface FolderNames {
  toId(folder: string): string;
  /** Throws `E_NOT_FOUND` for an id that was never issued. */
  toFolder(id: string): string;
}

function readKey(dataFolder: string): Buffer {
  const file = path.join(dataFolder, 'folder-names.key');
  try {
    const stored = readFileSync(file);
    if (stored.length === KEY_BYTES) return stored;
  } catch {
    // No key yet: one is created below.
  }
  const key = randomBytes(KEY_BYTES);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    writeFileSync(file, key, { mode: 0o600 });
  } catch {
    // The data folder is not writable: ids then last for this run.
  }
  return key;
}

/** Creates the ids. Reads the key synchronously: an id is needed before the first asynchronous call. */
export function createFolderNames(dataFolder: string): FolderNames {
  const key = readKey(dataFolder);
  const folders = new Map<string, string>();
  return {
    toId(folder) {
      const resolved = path.resolve(folder);
      const id = createHmac('sha256', key).update(resolved).digest('base64url').slice(0, 27);
      folders.set(id, resolved);
      return id;
    },
    toFolder(id) {
      const folder = folders.get(id);
      if (folder !== undefined) return folder;
      throw new AppError('E_NOT_FOUND', 'This folder id is unknown.', { reason: 'project.gone' });
    },
  };
}
