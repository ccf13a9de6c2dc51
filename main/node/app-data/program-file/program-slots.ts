import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../../shared/errors.ts';
import type { Lease } from '../../../core/ports/logs.ts';
import { writeDurably } from '../../files/durable-file.ts';
import { createLease } from '../../files/lease.ts';
import { readPrivateFile } from '../../files/private-file.ts';
import { readNames } from '../../files/read-names.ts';

const OWNER = 'WebGAL Agent';
/** More programs than a user has open with one game. */
export const MAX_SLOTS = 16;

/** One of the files of a game, held by this program. */
export interface Slot {
  name: string;
  lease: Lease;
}

/** The files in which programs that have a game open at the same time store, each its own. See `createProgramFile`. */
export function createProgramSlots(folder: string, projectId: string) {
  const makeFolder = async (): Promise<string> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  };

  const toBase = (number: number): string => (number === 1 ? projectId : `${projectId}.${number}`);

  /** Takes one of the files if it is free and exists, or does not. */
  async function takeSlot(number: number, isStored: boolean): Promise<Slot | null> {
    const base = toBase(number);
    const name = `${base}.json`;
    const lease = createLease({ folder: makeFolder, name: `${base}.lock`, owner: OWNER });
    try {
      await lease.take();
    } catch (error) {
      if (error instanceof AppError && error.code === 'E_CONFLICT') return null;
      throw error;
    }
    // Its program may have removed or stored something and ended since the names were read.
    if (readNames(folder).includes(name) === isStored) return { name, lease };
    await lease.release();
    return null;
  }

  /** Returns the numbers of the files that exist, or that do not. */
  function listSlots(isStored: boolean): number[] {
    const names = new Set(readNames(folder));
    const numbers = Array.from({ length: MAX_SLOTS }, (_, index) => index + 1);
    return numbers.filter((number) => names.has(`${toBase(number)}.json`) === isStored);
  }

  /** Takes the first free one of the files that exist, or that do not. Null if there is none. */
  async function take(isStored: boolean): Promise<Slot | null> {
    for (const number of listSlots(isStored)) {
      const slot = await takeSlot(number, isStored);
      if (slot) return slot;
    }
    return null;
  }

  async function readSlot({ name }: Slot): Promise<unknown> {
    const text = (await readPrivateFile(path.join(folder, name), name))?.toString() ?? null;
    try {
      return text && JSON.parse(text);
    } catch {
      return text; // Not written by the app, which replaces the file atomically.
    }
  }

  async function writeSlot({ name }: Slot, value: unknown): Promise<void> {
    if (value === null) await rm(path.join(folder, name), { force: true });
    else await writeDurably(path.join(await makeFolder(), name), JSON.stringify(value), 0o600);
  }

  return { listSlots, takeSlot, take, readSlot, writeSlot };
}
