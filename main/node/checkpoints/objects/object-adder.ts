import { hash as hashOnce } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { AppError } from '../../../../shared/errors.ts';
import { createCopies } from './copies.ts';
import { type ObjectFacts, readThrough, writeWhole } from './read-objects.ts';
import type { StorePlaces } from './store-places.ts';

/** Files up to this size are read whole, and written only if their bytes are not stored yet. */
const MAX_WHOLE_BYTES = 1024 * 1024;

/** An open file of the game. */
export interface ObjectSource {
  handle: number;
  size: number;
  /** A path to the same file, for a clone; null where the system has no paths through handles. */
  clonePath: string | null;
  /** True when the bytes are probably stored, as those of a file whose dates changed: then they are read before any copy. */
  isLikelyKnown: boolean;
}

/**
 * Adds objects to a store with blocking calls, for the checkpoint thread. An object is named once its bytes are on the disk,
 * so that one that exists is whole. One instance for each run; `room` is how many bytes it may add.
 */
export interface ObjectAdder {
  add(source: ObjectSource, onBytes: (bytes: number) => void): Promise<ObjectFacts>;
  addBytes(bytes: Buffer): Promise<ObjectFacts>;
  /** Resolves when all objects and their names are on the disk. */
  settle(): Promise<void>;
  /** Removes unfinished copies. */
  abandon(): Promise<void>;
}

export function createObjectAdder(places: StorePlaces, { room }: { room: number }): ObjectAdder {
  const copies = createCopies(places);
  let taken = 0;

  function reserve(bytes: number): void {
    taken += bytes;
    if (taken > room) throw toFullError();
  }

  async function addBytes(bytes: Buffer): Promise<ObjectFacts> {
    const hash = hashOnce('sha256', bytes, 'hex');
    if (copies.isStored(hash)) return { hash, bytes: bytes.length };
    reserve(bytes.length);
    const copy = copies.create();
    writeWhole(copy.handle, bytes);
    await copies.finish(copy, hash);
    return { hash, bytes: bytes.length };
  }

  /** Copies while reading: what is stored is what was hashed, whatever other programs write meanwhile. */
  async function copyFile({ handle, size }: ObjectSource, onBytes: (bytes: number) => void): Promise<ObjectFacts> {
    reserve(size);
    const copy = copies.create();
    let isKept = false;
    try {
      const found = readThrough(handle, (chunk) => {
        writeWhole(copy.handle, chunk);
        onBytes(chunk.length);
      });
      reserve(Math.max(0, found.bytes - size));
      if (copies.isStored(found.hash)) {
        taken -= Math.max(found.bytes, size);
        return found;
      }
      isKept = true;
      await copies.finish(copy, found.hash);
      return found;
    } finally {
      if (!isKept) copies.drop(copy);
    }
  }

  /** Returns null where the disk cannot share blocks. */
  async function clone(source: ObjectSource, onBytes: (bytes: number) => void): Promise<ObjectFacts | null> {
    const copy = copies.clone(source.clonePath);
    if (copy === null) return null;
    let isKept = false;
    try {
      const found = readThrough(copy.handle, (chunk) => onBytes(chunk.length));
      if (copies.isStored(found.hash)) return found;
      reserve(found.bytes);
      isKept = true;
      await copies.finish(copy, found.hash);
      return found;
    } finally {
      if (!isKept) copies.drop(copy);
    }
  }

  return {
    async add(source, onBytes) {
      if (source.size <= MAX_WHOLE_BYTES) {
        const bytes = readWhole(source);
        onBytes(bytes.length);
        return addBytes(bytes);
      }
      if (source.isLikelyKnown) {
        const found = readThrough(source.handle, (chunk) => onBytes(chunk.length));
        if (copies.isStored(found.hash)) return found;
      }
      return (await clone(source, onBytes)) ?? (await copyFile(source, onBytes));
    },
    addBytes,
    settle: copies.settle,
    abandon: copies.abandon,
  };
}

/** Reads a small file, which may grow meanwhile: the caller compares its dates afterwards. */
function readWhole({ handle, size }: ObjectSource): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(size, fstatSync(handle).size));
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(handle, bytes, length, bytes.length - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function toFullError(): AppError {
  return new AppError('E_TOO_LARGE', 'The kept states of this game have reached their limit.', {
    hint: 'Remove kept states that are not needed, or raise the limit in the settings.',
    reason: 'checkpoint.full',
  });
}
