import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { MAX_PICTURE_BYTES, type PictureType, toPictureType } from '../../../shared/model/message/picture.ts';
import type { Pictures } from '../../core/ports/stores/pictures.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError, toNotFound } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

/** The part of the app's folder in the game that has the pictures. */
export const PICTURES = 'pictures';
/** Largest picture of a game that is read; the page makes it smaller. */
const MAX_ASSET_BYTES = 32 * 1024 * 1024;

/**
 * Stores the pictures of conversations in `.webgal_agent/pictures/<SHA-256>`. The signed log names the hash, so a file that a game
 * brings or changes is never taken for a picture of the user.
 */
export function createSessionPictures(
  folder: AgentFolder,
  /** Returns the bytes of a file of the game, at most `maxBytes`; null without one. */
  readFile: (path: string, maxBytes: number) => Promise<Uint8Array | null>,
): Pictures {
  async function find(id: string): Promise<Buffer | null> {
    const directory = await folder.find(PICTURES);
    if (directory === null) return null;
    const bytes = await readPrivateFile(path.join(directory, id), PICTURES, { maxBytes: MAX_PICTURE_BYTES });
    return bytes !== null && toId(bytes) === id ? bytes : null;
  }

  return {
    async add(data) {
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length > MAX_PICTURE_BYTES) {
        throw new AppError('E_TOO_LARGE', 'The picture is too large.', {
          details: { maxBytes: MAX_PICTURE_BYTES },
          reason: 'picture.tooLarge',
        });
      }
      const type = toKnownType(bytes);
      const id = toId(bytes);
      try {
        const file = path.join(await folder.make(PICTURES), id);
        // A file under this name with other bytes is replaced. One that is there becomes new, so that it is not removed with a
        // conversation that is deleted for good before this one is logged.
        if ((await find(id).catch(() => null)) === null) await writeDurably(file, bytes);
        else await utimes(file, new Date(), new Date()).catch(() => undefined);
      } catch (error) {
        throw toIoError(error, PICTURES);
      }
      return { id, type, bytes: bytes.length };
    },
    async read(id) {
      const bytes = await find(id);
      const type = bytes && toPictureType(bytes);
      if (!bytes || !type) {
        throw new AppError('E_NOT_FOUND', 'The picture is not stored any more.', { reason: 'picture.gone' });
      }
      return { type, data: bytes.toString('base64'), bytes: bytes.length };
    },
    async readAsset(path) {
      const bytes = await readFile(path, MAX_ASSET_BYTES);
      if (bytes === null) throw toNotFound(path);
      return { type: toKnownType(bytes), data: Buffer.from(bytes).toString('base64') };
    },
  };
}

function toKnownType(bytes: Uint8Array): PictureType {
  const type = toPictureType(bytes);
  if (type !== null) return type;
  throw new AppError('E_UNSUPPORTED', 'These bytes are not a PNG, JPEG, WebP or GIF picture.', {
    reason: 'picture.type',
  });
}

function toId(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
