import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createSerialQueue } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Lease } from '../../core/ports/logs.ts';
import type { ProgramFile } from '../../core/ports/workspace.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { createLease } from '../files/lease.ts';
import { removeLeftTemps } from '../files/left-temps.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { readNames } from '../files/read-names.ts';

const OWNER = 'WebGAL Agent';
/** More programs than a user has open with one game. */
const MAX_SLOTS = 16;

interface Slot {
  name: string;
  lease: Lease;
}

/**
 * Creates the file for one game in `folder` of the app's data. Programs that have the game open at the same time store in
 * different files, each held with a lease; a file whose program has ended is free, and the next program reads it. `projectId`
 * is an id of `FolderNames`, which contains no separators.
 */
export function createProgramFile(folder: string, projectId: string): ProgramFile & { close(): Promise<void> } {
  const queue = createSerialQueue();
  let held: Slot | null = null;

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

  async function release(): Promise<void> {
    const slot = held;
    held = null;
    await slot?.lease.release();
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

  async function read(): Promise<unknown> {
    held ??= await take(true);
    try {
      return held && (await readSlot(held));
    } catch (error) {
      // It stays as it is: what is written next goes to another file.
      await release();
      throw error;
    }
  }

  async function write(value: unknown): Promise<void> {
    if (value === null) {
      if (held) await writeSlot(held, null);
      return await release();
    }
    held ??= await take(false);
    if (!held) throw new AppError('E_CONFLICT', `${MAX_SLOTS} other programs have this game open.`);
    await writeSlot(held, value);
  }

  async function takeOthers(takeOver: (value: unknown) => Promise<unknown>): Promise<void> {
    for (const number of listSlots(true)) {
      // The own file is held as well, by this program.
      const slot = await takeSlot(number, true);
      if (!slot) continue;
      try {
        const value = await readSlot(slot);
        const left = await takeOver(value);
        if (left !== value) await writeSlot(slot, left);
      } finally {
        await slot.lease.release();
      }
    }
  }

  const toAppError = (error: unknown): never => {
    throw toIoError(error, held?.name ?? path.basename(folder));
  };
  return {
    read: () => queue.run(() => read().catch(toAppError)),
    write: (value) => queue.run(() => write(value).catch(toAppError)),
    // Not in the queue: what takes it over stores it in the own file first.
    takeOthers: (takeOver) => takeOthers(takeOver).catch(toAppError),
    close: () =>
      queue.run(async () => {
        await release();
        removeLeftTemps(folder);
      }),
  };
}
