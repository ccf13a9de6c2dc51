import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';

const KEY_BYTES = 32;

/**
 * Opaque ids for folders: the same folder has the same id on every start, and a page can make none up. An id is a keyed
 * hash; which folder it stands for is known only here.
 */
export interface FolderNames {
  toId(folder: string): string;
  /** `E_NOT_FOUND` for an id that was never handed out. */
  toFolder(id: string): string;
}

function readKey(dataFolder: string): Buffer {
  const file = path.join(dataFolder, 'folder-names.key');
  try {
    const stored = readFileSync(file);
    if (stored.length === KEY_BYTES) return stored;
  } catch {
    // None yet: one is made below.
  }
  const key = randomBytes(KEY_BYTES);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    writeFileSync(file, key, { mode: 0o600 });
  } catch {
    // A folder that cannot be written: ids then last as long as this run.
  }
  return key;
}

/** Read once at the start, synchronously: an id is needed before anything can be waited for. */
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
      throw new AppError('E_NOT_FOUND', 'That folder is not known any more.', { reason: 'project.gone' });
    },
  };
}
