import path from 'node:path';
import { createSerialQueue } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ProgramFile } from '../../../core/ports/workspace.ts';
import { toIoError } from '../../files/io-error.ts';
import { removeLeftTemps } from '../../files/left-temps.ts';
import { createProgramSlots, MAX_SLOTS, type Slot } from './program-slots.ts';

/**
 * Creates the file for one game in `folder` of the app's data. Programs that have the game open at the same time store in
 * different files, each held with a lease; a file whose program has ended is free, and the next program reads it. `projectId`
 * is an id of `FolderNames`, which contains no separators.
 */
export function createProgramFile(folder: string, projectId: string): ProgramFile & { close(): Promise<void> } {
  const queue = createSerialQueue();
  const { listSlots, takeSlot, take, readSlot, writeSlot } = createProgramSlots(folder, projectId);
  let held: Slot | null = null;

  async function release(): Promise<void> {
    const slot = held;
    held = null;
    await slot?.lease.release();
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
    const faults: unknown[] = [];
    for (const number of listSlots(true)) {
      // The own file is held as well, by this program.
      const slot = await takeSlot(number, true);
      if (!slot) continue;
      try {
        const value = await readSlot(slot);
        const left = await takeOver(value);
        if (left !== value) await writeSlot(slot, left);
      } catch (error) {
        faults.push(error);
      } finally {
        await slot.lease.release();
      }
    }
    if (faults.length > 0) throw faults[0];
  }

  const toAppError = (error: unknown): never => {
    throw toIoError(error, held?.name ?? path.basename(folder));
  };
  return {
    read: () => queue.run(() => read().catch(toAppError)),
    write: (value) => queue.run(() => write(value).catch(toAppError)),
    leave: () => queue.run(release),
    // Not in the queue: what takes it over stores it in the own file first.
    takeOthers: (takeOver) => takeOthers(takeOver).catch(toAppError),
    close: () =>
      queue.run(async () => {
        await release();
        removeLeftTemps(folder);
      }),
  };
}
