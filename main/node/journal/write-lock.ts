import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSerialQueue } from '../../../shared/async.ts';

import { AppError } from '../../../shared/errors.ts';
import { toTempName } from '../files/durable-file.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import { createLockHolder, isHolderGone, LOCK_FILE, type LockHolder } from './lock-holder.ts';

/** A section takes less than a millisecond, a recovery some tens of them. */
const ACQUIRE_TIMEOUT_MS = 10_000;
/** The holder is not examined earlier: a process number costs a system call, its start time reading two files. */
const EXAMINE_AFTER_MS = 20;

export interface WriteLock {
  /**
   * Runs `section` while no other process, on any machine, is in a section for the same game. Throws `E_IO` when the lock
   * stays held.
   */
  run<T>(section: () => Promise<T>): Promise<T>;
  /** Removes the file that names this process. */
  close(): Promise<void>;
}

/**
 * Makes comparing and replacing files of a game one step across processes. Node has no kernel locks, so the lock is a
 * hard link to a finished file that names this process: it is created complete and only where none exists. It is acquired
 * and released with one system call each and never synced: a lock left by a crash is replaced once its process is gone,
 * under a second link, so that two processes that find it do not both replace it.
 */
export function createWriteLock(folder: AgentFolder): WriteLock {
  const holder = createLockHolder(folder);
  const queue = createSerialQueue();
  /** The lock of the running section. */
  let held: bigint | undefined;
  /** The last lock of another holder, and since when it was seen. */
  let seen: { inode: bigint; since: number } | undefined;

  async function take(place: string): Promise<void> {
    const began = Date.now();
    for (let tries = 0; ; tries += 1) {
      if (await holder.claim(place)) return;
      const inode = toInode(place);
      // Sections are serialized here, so a lock of this process is one that it could not remove.
      if (inode !== undefined && inode === toInode(await holder.toOwn())) return;
      const now = Date.now();
      if (inode !== undefined) {
        if (seen?.inode !== inode) seen = { inode, since: now };
        const isGone = now - began > EXAMINE_AFTER_MS && (await isHolderGone(place, seen.since));
        if (isGone && (await replaceLock(holder, place, inode))) return;
      }
      if (now - began > ACQUIRE_TIMEOUT_MS) throw toBusyError();
      await sleep(tries < 20 ? 1 : 5);
    }
  }

  async function runAlone<T>(section: () => Promise<T>): Promise<T> {
    const place = path.join(await folder.make(''), LOCK_FILE);
    await take(place);
    held = toInode(place);
    try {
      return await section();
    } finally {
      seen = undefined;
      release(place);
    }
  }

  /**
   * Releases the lock and ignores failures: the section has succeeded, and the lock is left to the next section or,
   * later, to another process.
   */
  function release(place: string): void {
    try {
      const mine = held;
      held = undefined;
      if (mine !== undefined && toInode(place) === mine) rmSync(place, { force: true });
    } catch {
      // The next `take` finds it again.
    }
  }

  return {
    run: (section) => queue.run(() => runAlone(section)),
    async close() {
      await queue.idle();
      await holder.close();
    },
  };
}

/** Replaces the lock of a process that is gone; false when another process is doing so, or the lock has changed. */
async function replaceLock(holder: LockHolder, place: string, inode: bigint): Promise<boolean> {
  const guard = `${place}.takeover`;
  if (!(await holder.claim(guard))) {
    const found = lstatSync(guard, { bigint: true, throwIfNoEntry: false });
    const since = Number(found?.ctimeMs ?? Date.now());
    if (found && Date.now() - since > EXAMINE_AFTER_MS && (await isHolderGone(guard, since)))
      rmSync(guard, { force: true });
    return false;
  }
  try {
    if (toInode(place) !== inode) return false;
    // Another link to the same file: renaming onto it would have no effect, so it is moved aside first.
    const aside = `${place}.${toTempName()}`;
    renameSync(place, aside);
    // Meanwhile replaced by another process that took this guard for that of a dead process: move it back.
    const isOther = toInode(aside) !== inode;
    if (isOther) linkSync(aside, place);
    rmSync(aside, { force: true, recursive: true });
    if (isOther) return false;
    return await holder.claim(place);
  } finally {
    rmSync(guard, { force: true });
  }
}

function toInode(file: string): bigint | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

function toBusyError(): AppError {
  return new AppError('E_IO', 'Another program is writing to this game. Nothing was written.', {
    details: { path: LOCK_FILE },
    hint: 'Try again in a moment.',
    reason: 'write.busy',
  });
}
