import { closeSync, fdatasync, fsync, lstatSync, openSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { CREATE_NEW, toTempName, writeAll } from '../files/durable-file.ts';
import { type OpenDirectory, openDirectory } from '../files/open-directory.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

import { findDoneFlag, toIdleHead } from './journal-record.ts';

export const JOURNAL_PART = 'journal';

const MIN_SLOT_BYTES = 64 * 1024;
/** Larger files, and files beyond `MAX_IDLE`, are not kept for the next record. */
const MAX_SLOT_BYTES = 1024 * 1024;
const MAX_IDLE = 16;

const waitForFile = promisify(fsync);
const waitForBytes = promisify(fdatasync);

interface Slot {
  name: string;
  handle: number;
  inode: bigint;
  bytes: number;
  /** Where the record says whether it is done. */
  doneAt: number;
}

/** Journal files of this process, in use or idle. */
const held = new Set<string>();

/** Returns whether this process has the journal file of that name open. */
export function isHeldHere(name: string): boolean {
  return held.has(name);
}

/**
 * The files that journals are written to. Creating, naming and removing a file for each record makes the file system
 * write and sync metadata. These files are filled once and stay open: a record overwrites existing bytes, which keeps the
 * sync as short as possible.
 */
export interface JournalSlots {
  /** Writes a record; it is durable when this resolves. Returns the name of its file. */
  write(record: Buffer): Promise<string>;
  /** Notes that all files of a record were replaced. */
  finish(name: string): Promise<void>;
  /** Frees a record that is no longer needed. A power cut may bring it back. */
  free(name: string): Promise<void>;
  /** Does the same, durably: no power cut brings the record back once this resolves. */
  cancel(name: string): Promise<void>;
  /** Keeps the record on the disk and releases it from this process. */
  leave(name: string): void;
  /** Removes the files that are not in use. */
  clear(): Promise<void>;
}

export function createJournalSlots(folder: AgentFolder): JournalSlots {
  const idleHead = toIdleHead({ pid: process.pid, host: hostname() });
  const used = new Map<string, Slot>();
  const idle: Slot[] = [];

  function take(bytes: number, directory: OpenDirectory): Slot | undefined {
    for (let at = 0; at < idle.length; ) {
      const slot = idle[at];
      if (!slot || slot.bytes < bytes) {
        at += 1;
        continue;
      }
      idle.splice(at, 1);
      if (isThere(slot, directory)) return slot;
      drop(slot, null);
    }
    return undefined;
  }

  async function release(name: string, surely: boolean): Promise<void> {
    const slot = used.get(name);
    if (!slot) return;
    used.delete(name);
    try {
      if (slot.bytes <= MAX_SLOT_BYTES && idle.length < MAX_IDLE) {
        await writeAll(slot.handle, idleHead, 0);
        if (surely) await waitForBytes(slot.handle);
        idle.push(slot);
        return;
      }
    } catch {
      // What cannot be overwritten can be removed.
    }
    await within(folder, async (directory) => {
      drop(slot, directory);
      if (surely) await directory?.sync();
    });
  }

  return {
    async write(record) {
      const directory = openDirectory(await folder.make(JOURNAL_PART));
      try {
        const known = take(record.length, directory);
        const slot = known ?? makeSlot(record.length, directory);
        try {
          // A new file is written at full size, so that its blocks are allocated for later records too.
          await writeAll(slot.handle, known ? record : Buffer.concat([record], slot.bytes), 0);
          await (known ? waitForBytes(slot.handle) : Promise.all([waitForFile(slot.handle), directory.sync()]));
        } catch (error) {
          drop(slot, directory);
          throw error;
        }
        slot.doneAt = findDoneFlag(record);
        used.set(slot.name, slot);
        return slot.name;
      } finally {
        directory.close();
      }
    },

    finish: async (name) => markDone(used.get(name)),
    free: (name) => release(name, false),
    cancel: (name) => release(name, true),

    leave(name) {
      const slot = used.get(name);
      used.delete(name);
      if (slot) drop(slot, null);
    },

    clear: () =>
      within(folder, (directory) => {
        for (const slot of idle.splice(0)) drop(slot, directory);
      }),
  };
}

/** Runs `action` with the folder, or with `null` when the folder and its files are gone. */
async function within<T>(folder: AgentFolder, action: (directory: OpenDirectory | null) => T | Promise<T>): Promise<T> {
  const absolute = await folder.find(JOURNAL_PART);
  const directory = absolute === null ? null : openDirectory(absolute);
  try {
    return await action(directory);
  } finally {
    directory?.close();
  }
}

function makeSlot(least: number, directory: OpenDirectory): Slot {
  const name = `${path.basename(toTempName(), '.tmp')}.json`;
  const handle = openSync(directory.at(name), CREATE_NEW, 0o644);
  held.add(name);
  let bytes = MIN_SLOT_BYTES;
  while (bytes < least && bytes < MAX_SLOT_BYTES) bytes *= 2;
  try {
    const inode = lstatSync(directory.at(name), { bigint: true }).ino;
    return { name, handle, inode, bytes: Math.max(bytes, least), doneAt: 0 };
  } catch (error) {
    drop({ name, handle }, directory);
    throw error;
  }
}

async function markDone(slot: Slot | undefined): Promise<void> {
  // Not synced: of a killed process the system has it. A failure leaves the decision to the texts of the files.
  if (slot) await writeAll(slot.handle, Buffer.from('1'), slot.doneAt).catch(() => undefined);
}

/**
 * Returns whether the file still has its name: another program may have removed the folder, and no recovery would find
 * what is written to a file without a name.
 */
function isThere({ name, inode }: Slot, directory: OpenDirectory): boolean {
  return lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false })?.ino === inode;
}

function drop({ name, handle }: Pick<Slot, 'name' | 'handle'>, directory: OpenDirectory | null): void {
  held.delete(name);
  try {
    closeSync(handle);
  } catch {
    // No important bytes were written since the last sync.
  }
  if (directory) rmSync(directory.at(name), { force: true });
}
