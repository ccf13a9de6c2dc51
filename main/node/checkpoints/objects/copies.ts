import { closeSync, constants, copyFileSync, fsync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { CREATE_NEW, NOFOLLOW_NONBLOCK, syncFolder, toTempName } from '../../files/durable-file.ts';
import { hasObject } from './read-objects.ts';
import { type StorePlaces, toObjectFile } from './store-places.ts';

const waitForDisk = promisify(fsync);
/** Syncs that wait for the disk while the next files are read. */
const MAX_PENDING = 32;
/** The copy that shares its blocks with the original; it costs no space and no reading. */
const CLONE = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE;

/** A file under a temporary name. */
export interface Copy {
  temp: string;
  handle: number;
}

/** The objects that a run adds: an object is named once its bytes are on the disk, so that one that exists is whole. */
export interface Copies {
  isStored(hash: string): boolean;
  create(): Copy;
  /** Returns null where the disk cannot share blocks. */
  clone(source: string | null): Copy | null;
  /** Syncs and names a finished copy while the caller goes on. */
  finish(copy: Copy, hash: string): Promise<void>;
  drop(copy: Copy): void;
  /** Resolves when all objects and their names are on the disk. */
  settle(): Promise<void>;
  /** Removes unfinished copies. */
  abandon(): Promise<void>;
}

/** Whether clones between the game's disk and the store's work, by store; learnt from the first attempt. */
const clones = new Map<string, boolean>();

export function createCopies(places: StorePlaces): Copies {
  const pending = new Map<string, Promise<void>>();
  const temps = new Set<string>();
  const folders = new Set<string>();
  let failure: { error: unknown } | undefined;

  const toTemp = (): string => {
    const temp = path.join(places.temps, toTempName());
    temps.add(temp);
    return temp;
  };

  async function name({ temp, handle }: Copy, hash: string): Promise<void> {
    try {
      await waitForDisk(handle);
    } finally {
      closeSync(handle);
    }
    const file = toObjectFile(places, hash);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    renameSync(temp, file);
    temps.delete(temp);
    folders.add(path.dirname(file));
  }

  return {
    isStored: (hash) => pending.has(hash) || hasObject(places, hash),
    create() {
      const temp = toTemp();
      return { temp, handle: openSync(temp, CREATE_NEW, 0o600) };
    },
    clone(source) {
      if (source === null || clones.get(places.root) === false) return null;
      const temp = toTemp();
      try {
        copyFileSync(source, temp, CLONE);
        clones.set(places.root, true);
        return { temp, handle: openSync(temp, constants.O_RDWR | NOFOLLOW_NONBLOCK) };
      } catch {
        clones.set(places.root, false);
        rmSync(temp, { force: true });
        return null;
      }
    },
    async finish(copy, hash) {
      const done = name(copy, hash)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => pending.delete(hash));
      pending.set(hash, done);
      if (pending.size >= MAX_PENDING) await Promise.race(pending.values());
      if (failure) throw failure.error;
    },
    drop({ temp, handle }) {
      closeSync(handle);
      rmSync(temp, { force: true });
      temps.delete(temp);
    },
    async settle() {
      await Promise.all(pending.values());
      if (failure) throw failure.error;
      await Promise.all([...folders, places.objects].map(syncFolder));
      folders.clear();
    },
    async abandon() {
      await Promise.all(pending.values());
      for (const temp of temps) rmSync(temp, { force: true });
    },
  };
}
