import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { createSerialQueue } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  type AssetFault,
  type DescribedAsset,
  inspectAsset,
  MAX_ASSET_BYTES,
  parseAssetText,
  toAssetText,
} from '../../../shared/model/asset/asset.ts';
import type { Assets } from '../../core/ports/stores/assets.ts';
import { createDurably, replaceFile, syncFolder, toTempName } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { toVersion } from '../files/strict-text.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

/** What other programs answered: the oldest that no open proposal names goes first. */
const RECEIVED = { part: 'assets', bytes: 256 * 1024 * 1024, files: 1000 };
/** What a write replaced or wrote, for its undo: the oldest goes first. */
const WRITTEN = { part: 'written-assets', bytes: 1024 * 1024 * 1024, files: 4000 };
type Part = typeof WRITTEN;
/** The game may hold larger files than the app writes; one is kept when a write replaces it. */
const MAX_REPLACED_BYTES = 64 * 1024 * 1024;
const TEMP_PART = 'tmp';
const ID = /^[0-9a-f]{64}$/;

/** The store, as the writer of the game uses it. */
export interface AssetStore extends Omit<Assets, 'readGame'> {
  /**
   * Keeps what one transaction replaces and writes; it is durable when this resolves. Any bytes, also of other types. None of them
   * goes to make room for another one.
   */
  keep(files: readonly Uint8Array[]): Promise<void>;
  /** Returns bytes by their hash; null if they are not there, or others. */
  find(id: string): Promise<Buffer | null>;
}

/**
 * Stores pictures and sounds in `.webgal_agent/assets/<SHA-256>`, without an extension, so that no program takes one for its own.
 * Bounded in size and number. A file that a game brings or changes is never taken for one of these, because its hash is another.
 */
export function createAssetStore(
  folder: AgentFolder,
  { received, written }: { received: Part; written: Part } = { received: RECEIVED, written: WRITTEN },
): AssetStore {
  async function findIn({ part }: Part, id: string): Promise<Buffer | null> {
    const directory = ID.test(id) ? await folder.find(part) : null;
    if (directory === null) return null;
    const bytes = await readPrivateFile(path.join(directory, id), part, { maxBytes: MAX_REPLACED_BYTES });
    return bytes !== null && toVersion(bytes) === id ? bytes : null;
  }

  const find = async (id: string) => (await findIn(received, id)) ?? findIn(written, id);
  // One after the other: making room must not remove what another call just found there.
  const queue = createSerialQueue();
  let readNamed = (): Iterable<string> => [];

  /** `own`: what the same transaction keeps, which stays whatever the limits; null: `E_TOO_LARGE` (`asset.full`) instead. */
  async function store(part: Part, bytes: Uint8Array, own: ReadonlySet<string> | null): Promise<void> {
    const id = toVersion(bytes);
    try {
      const directory = await folder.make(part.part);
      const file = path.join(directory, id);
      if ((await findIn(part, id).catch(() => null)) !== null) {
        // The oldest goes first, and this one is in use.
        await utimes(file, new Date(), new Date()).catch(() => undefined);
        return;
      }
      const needed = new Set([...(own ?? []), ...readNamed()]);
      const { spare, hasRoom } = findSpare(directory, part, { added: bytes.length, needed });
      if (!hasRoom && own === null) throw toFull();
      for (const file of spare) rmSync(file, { force: true });
      // Where the next start removes what a kill leaves.
      const temp = path.join(await folder.make(TEMP_PART), toTempName());
      try {
        await createDurably(temp, bytes);
        await replaceFile(temp, file);
      } catch (error) {
        rmSync(temp, { force: true });
        throw error;
      }
      await syncFolder(directory);
    } catch (error) {
      throw toIoError(error, part.part);
    }
  }

  return {
    find,
    async add(data) {
      const bytes = typeof data === 'string' ? Buffer.from(data, 'base64') : data;
      const found = inspectAsset(bytes);
      if (typeof found === 'string') throw toFault(found);
      await queue.run(() => store(received, bytes, null));
      return { id: toVersion(bytes), ...found };
    },
    async read(id) {
      return toRead(await find(id), id);
    },
    protect(named) {
      readNamed = named;
    },
    async keep(files) {
      const own = new Set(files.map(toVersion));
      for (const bytes of files) await queue.run(() => store(written, bytes, own));
    },
  };
}

/** Adds to the store the reading of files of the game. `readFile`: null without one, at most so many bytes. */
export function withGameFiles(
  store: AssetStore,
  readFile: (path: string, maxBytes: number) => Promise<Uint8Array | null>,
): Assets {
  return {
    add: store.add,
    read: store.read,
    protect: store.protect,
    async readGame(path, id) {
      const bytes = await readFile(path, MAX_ASSET_BYTES);
      return toRead(bytes && toVersion(bytes) === id ? Buffer.from(bytes) : null, id);
    },
  };
}

function toRead(bytes: Buffer | null, id: string): Awaited<ReturnType<Assets['read']>> {
  const found = bytes && inspectAsset(bytes);
  if (!bytes || !found || typeof found === 'string') throw toGone();
  return { asset: { id, ...found }, data: bytes.toString('base64') };
}

/** Returns the oldest files that are not needed and have to go for a new one, and whether it fits then. */
function findSpare(
  directory: string,
  { bytes: maxBytes, files: maxFiles }: Part,
  { added, needed }: { added: number; needed: ReadonlySet<string> },
): { spare: string[]; hasRoom: boolean } {
  const found = readdirSync(directory).flatMap((name) => {
    const file = path.join(directory, name);
    const stats = ID.test(name) ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    return stats?.isFile() ? [{ name, file, bytes: stats.size, at: stats.mtimeMs }] : [];
  });
  let bytes = found.reduce((sum, file) => sum + file.bytes, added);
  let files = found.length + 1;
  const fits = () => bytes <= maxBytes && files <= maxFiles;
  const spare: string[] = [];
  for (const oldest of found.sort((a, b) => a.at - b.at)) {
    if (fits()) break;
    if (needed.has(oldest.name)) continue;
    spare.push(oldest.file);
    bytes -= oldest.bytes;
    files -= 1;
  }
  return { spare, hasRoom: fits() };
}

/** Returns the line that stands for the bytes of a picture or a sound; see `toAssetText`. */
export function describeAssetBytes(bytes: Uint8Array): string {
  const found = inspectAsset(bytes);
  const known: Omit<DescribedAsset, 'id'> = typeof found === 'string' ? { type: null, bytes: bytes.length } : found;
  return toAssetText({ id: toVersion(bytes), ...known });
}

/**
 * Returns the bytes that the line of a picture or a sound stands for. Throws `E_UNSUPPORTED` (`asset.text`) for any other text, and
 * `E_NOT_FOUND` (`asset.gone`).
 */
export async function toAssetBytes(assets: Pick<AssetStore, 'find'>, text: string, path: string): Promise<Buffer> {
  const asset = parseAssetText(text);
  if (asset === null) {
    throw new AppError(
      'E_UNSUPPORTED',
      `"${path}" is a picture or a sound by its name, and a text cannot become one.`,
      {
        details: { path },
        hint: 'Propose a kept picture or sound for it, or give the text a name that ends in .txt.',
        reason: 'asset.text',
      },
    );
  }
  const bytes = await assets.find(asset.id);
  if (bytes === null) throw toGone();
  return bytes;
}

/** Returns `E_NOT_FOUND` (`asset.gone`). */
function toGone(): AppError {
  return new AppError('E_NOT_FOUND', 'This picture or sound is not kept any more.', {
    hint: 'Have it made or fetched again.',
    reason: 'asset.gone',
  });
}

function toFull(): AppError {
  return new AppError('E_TOO_LARGE', 'The open proposal holds as many pictures and sounds as can be kept.', {
    hint: 'Accept or discard it, then try again.',
    reason: 'asset.full',
  });
}

function toFault(fault: AssetFault): AppError {
  const reason = `asset.${fault}`;
  if (fault === 'type') {
    return new AppError('E_UNSUPPORTED', 'These bytes are neither a picture nor a sound that a game can use.', {
      hint: 'Pictures: PNG, JPEG, WebP, GIF; sounds: MP3, OGG, WAV, FLAC.',
      reason,
    });
  }
  const limit = fault === 'pixels' ? 'more than 16,384 pixels on a side, or 64 million in all' : 'too many bytes';
  return new AppError('E_TOO_LARGE', `This picture or sound has ${limit}.`, {
    details: { maxBytes: MAX_ASSET_BYTES },
    hint: 'Ask for a smaller one.',
    reason,
  });
}
