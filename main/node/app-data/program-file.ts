import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createSerialQueue } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Lease } from '../../core/ports/logs.ts';
import type { ProgramFile } from '../../core/ports/workspace.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { createLease } from '../files/lease.ts';
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

  /** Takes the first free one of the files that exist, or that do not. Null if there is none. */
  async function take(isStored: boolean): Promise<Slot | null> {
    const names = readNames(folder);
    for (let number = 1; number <= MAX_SLOTS; number += 1) {
      const base = number === 1 ? projectId : `${projectId}.${number}`;
      const name = `${base}.json`;
      if (names.includes(name) !== isStored) continue;
      const lease = createLease({ folder: makeFolder, name: `${base}.lock`, owner: OWNER });
      try {
        await lease.take();
      } catch (error) {
        if (error instanceof AppError && error.code === 'E_CONFLICT') continue;
        throw error;
      }
      // Its program may have removed or stored something and ended since the names were read.
      if (readNames(folder).includes(name) === isStored) return { name, lease };
      await lease.release();
    }
    return null;
  }

  async function release(): Promise<void> {
    const slot = held;
    held = null;
    await slot?.lease.release();
  }

  async function read(): Promise<unknown> {
    held ??= await take(true);
    if (!held) return null;
    const text = (await readPrivateFile(path.join(folder, held.name), held.name))?.toString() ?? null;
    try {
      return text && JSON.parse(text);
    } catch {
      return text; // Not written by the app, which replaces the file atomically.
    }
  }

  async function write(value: unknown): Promise<void> {
    if (value === null) {
      if (held) await rm(path.join(folder, held.name), { force: true });
      return await release();
    }
    held ??= await take(false);
    if (!held) throw new AppError('E_CONFLICT', `${MAX_SLOTS} other programs have this game open.`);
    await writeDurably(path.join(await makeFolder(), held.name), JSON.stringify(value), 0o600);
  }

  const toAppError = (error: unknown): never => {
    throw toIoError(error, held?.name ?? path.basename(folder));
  };
  return {
    read: () => queue.run(() => read().catch(toAppError)),
    write: (value) => queue.run(() => write(value).catch(toAppError)),
    close: () => queue.run(release),
  };
}
