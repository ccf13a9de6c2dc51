import { closeSync, fdatasync, fsync, lstatSync, openSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CREATE_NEW, toTempName, writeAll } from '../files/durable-file.ts';
import { type HeldFolder, holdFolder } from '../files/held-folder.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import { toIdleHead } from './journal-record.ts';

export const JOURNAL_PART = 'journal';

const SMALLEST_BYTES = 64 * 1024;
/** Larger files, and more of them, are not kept for the next record. */
const LARGEST_BYTES = 1024 * 1024;
const MOST_IDLE = 16;

const waitForFile = promisify(fsync);
const waitForBytes = promisify(fdatasync);

interface Slot {
  name: string;
  handle: number;
  inode: bigint;
  bytes: number;
}

/** Journal files of this process, in use or idle. */
const held = new Set<string>();

/** Whether this process has the journal file of that name open. */
export function isHeldHere(name: string): boolean {
  return held.has(name);
}

/**
 * The files a journal is written to. A file made, named and removed for each record has the disk keep records of its own
 * of all that, and wait for them. These are filled once and stay open: a record is bytes over bytes, and the wait for the
 * disk as short as it gets.
 */
export interface JournalSlots {
  /** Writes a record; when this resolves the disk has it, under the name that is returned. */
  write(record: Buffer): Promise<string>;
  /** The record is not needed any more. A power cut may bring it back. */
  free(name: string): Promise<void>;
  /** The same, and no power cut brings it back once this resolves. */
  cancel(name: string): Promise<void>;
  /** The record stays, and this process has no more to do with it. */
  leave(name: string): void;
  /** Removes the files that are not in use. */
  clear(): Promise<void>;
}

export function createJournalSlots(folder: AgentFolder): JournalSlots {
  const idleHead = toIdleHead({ pid: process.pid, host: hostname() });
  const used = new Map<string, Slot>();
  const idle: Slot[] = [];

  /** `null` for a folder that is gone, and with it all that was in it. */
  async function within<T>(action: (directory: HeldFolder | null) => T | Promise<T>): Promise<T> {
    const absolute = await folder.find(JOURNAL_PART);
    const directory = absolute === null ? null : holdFolder(absolute);
    try {
      return await action(directory);
    } finally {
      directory?.close();
    }
  }

  function drop({ name, handle }: Slot, directory: HeldFolder | null): void {
    held.delete(name);
    try {
      closeSync(handle);
    } catch {
      // Nothing that matters was written since the last wait for the disk.
    }
    if (directory) rmSync(directory.at(name), { force: true });
  }

  /** Somebody may have cleared the folder away. What is written to a file without a name, no one would find. */
  function isThere({ name, inode }: Slot, directory: HeldFolder): boolean {
    return lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false })?.ino === inode;
  }

  function take(bytes: number, directory: HeldFolder): Slot | undefined {
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

  function make(least: number, directory: HeldFolder): Slot {
    const name = `${path.basename(toTempName(), '.tmp')}.json`;
    const handle = openSync(directory.at(name), CREATE_NEW, 0o644);
    held.add(name);
    let bytes = SMALLEST_BYTES;
    while (bytes < least && bytes < LARGEST_BYTES) bytes *= 2;
    try {
      const inode = lstatSync(directory.at(name), { bigint: true }).ino;
      return { name, handle, inode, bytes: Math.max(bytes, least) };
    } catch (error) {
      drop({ name, handle, inode: 0n, bytes }, directory);
      throw error;
    }
  }

  async function release(name: string, surely: boolean): Promise<void> {
    const slot = used.get(name);
    if (!slot) return;
    used.delete(name);
    try {
      if (slot.bytes <= LARGEST_BYTES && idle.length < MOST_IDLE) {
        await writeAll(slot.handle, idleHead, 0);
        if (surely) await waitForBytes(slot.handle);
        idle.push(slot);
        return;
      }
    } catch {
      // What cannot be written over can be removed.
    }
    await within(async (directory) => {
      drop(slot, directory);
      if (surely) await directory?.sync();
    });
  }

  return {
    async write(record) {
      const directory = holdFolder(await folder.make(JOURNAL_PART));
      try {
        const known = take(record.length, directory);
        const slot = known ?? make(record.length, directory);
        try {
          // A new one as a whole, so that it has its place on the disk for later records as well.
          await writeAll(slot.handle, known ? record : Buffer.concat([record], slot.bytes), 0);
          await (known ? waitForBytes(slot.handle) : Promise.all([waitForFile(slot.handle), directory.sync()]));
        } catch (error) {
          drop(slot, directory);
          throw error;
        }
        used.set(slot.name, slot);
        return slot.name;
      } finally {
        directory.close();
      }
    },

    free: (name) => release(name, false),
    cancel: (name) => release(name, true),

    leave(name) {
      const slot = used.get(name);
      used.delete(name);
      if (slot) drop(slot, null);
    },

    clear: () =>
      within((directory) => {
        for (const slot of idle.splice(0)) drop(slot, directory);
      }),
  };
}
