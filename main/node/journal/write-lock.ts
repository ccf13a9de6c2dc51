import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createSerialQueue } from '../../../shared/async.ts';

import { AppError } from '../../../shared/errors.ts';
import { NOFOLLOW_NONBLOCK, toTempName } from '../files/durable-file.ts';
import { toIoError, toSystemCode } from '../files/io-error.ts';
import { isAlive, readProcessStart } from '../files/process-start.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

export const LOCK_FILE = 'write.lock';
const TEMP_PART = 'tmp';
/** A section takes less than a millisecond, a recovery some tens of them. */
const ACQUIRE_TIMEOUT_MS = 10_000;
/** A holder that cannot be examined (another machine, an unreadable file) and was seen for this long counts as gone. */
const EXPIRY_MS = 60_000;
const UNREADABLE_EXPIRY_MS = 2_000;
/** The holder is not examined earlier: a process number costs a system call, its start time reading two files. */
const EXAMINE_AFTER_MS = 20;
const MAX_BYTES = 1_024;
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

const Holder = z.object({
  pid: z.int().positive(),
  host: z.string().max(300),
  start: z.string().max(200).nullable(),
});
type Holder = z.infer<typeof Holder>;

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
  let own: Promise<string> | undefined;
  /** Every file created under a temporary name: one that could not be removed may be removable when the lock is closed. */
  const made = new Set<string>();
  let text: string | undefined;
  const queue = createSerialQueue();
  /** The lock of the running section. */
  let held: bigint | undefined;
  /** The last lock of another holder, and since when it was seen. */
  let seen: { inode: bigint; since: number } | undefined;

  async function makeOwn(): Promise<string> {
    text ??= JSON.stringify({
      pid: process.pid,
      host: hostname(),
      start: await readProcessStart(process.pid),
    } satisfies Holder);
    const file = path.join(await folder.make(TEMP_PART), toTempName());
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    made.add(file);
    return file;
  }

  function toOwn(): Promise<string> {
    own ??= makeOwn().catch((error: unknown) => {
      own = undefined;
      throw toIoError(error, LOCK_FILE);
    });
    return own;
  }

  /** Links this process's file to `place`; false where a file exists. */
  async function claim(place: string): Promise<boolean> {
    for (let tries = 0; ; tries += 1) {
      const file = await toOwn();
      try {
        linkSync(file, place);
        return true;
      } catch (error) {
        const code = toSystemCode(error) ?? '';
        if (code === 'EEXIST') return false;
        if (NO_LINKS.has(code)) return claimUnlinked(place);
        // Removed as a leftover of a process that is gone, or with the whole folder.
        own = undefined;
        if (code !== 'ENOENT' || tries > 1) throw toIoError(error, LOCK_FILE);
      }
    }
  }

  /**
   * Writes the file directly, for disks without hard links: others may see it before it is complete, which counts as
   * unreadable.
   */
  function claimUnlinked(place: string): boolean {
    try {
      writeFileSync(place, text ?? '', { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (toSystemCode(error) === 'EEXIST') return false;
      throw toIoError(error, LOCK_FILE);
    }
  }

  async function isGone(place: string, since: number): Promise<boolean> {
    const holder = readHolder(place);
    if (holder === 'none') return false;
    if (holder === null) return Date.now() - since > UNREADABLE_EXPIRY_MS;
    if (holder.host !== hostname()) return Date.now() - since > EXPIRY_MS;
    if (!isAlive(holder.pid)) return true;
    const start = await readProcessStart(holder.pid);
    return start !== null && start !== holder.start;
  }

  /** Replaces the lock of a process that is gone; false when another process is doing so, or the lock has changed. */
  async function replace(place: string, inode: bigint): Promise<boolean> {
    const guard = `${place}.takeover`;
    if (!(await claim(guard))) {
      const found = lstatSync(guard, { bigint: true, throwIfNoEntry: false });
      const since = Number(found?.ctimeMs ?? Date.now());
      if (found && Date.now() - since > EXAMINE_AFTER_MS && (await isGone(guard, since)))
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
      return await claim(place);
    } finally {
      rmSync(guard, { force: true });
    }
  }

  async function take(place: string): Promise<void> {
    const began = Date.now();
    for (let tries = 0; ; tries += 1) {
      if (await claim(place)) return;
      const inode = toInode(place);
      // Sections are serialized here, so a lock of this process is one that it could not remove.
      if (inode !== undefined && inode === toInode(await toOwn())) return;
      const now = Date.now();
      if (inode !== undefined) {
        if (seen?.inode !== inode) seen = { inode, since: now };
        if (now - began > EXAMINE_AFTER_MS && (await isGone(place, seen.since)) && (await replace(place, inode)))
          return;
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
      await own?.catch(() => undefined);
      own = undefined;
      for (const file of made) {
        try {
          rmSync(file, { force: true });
        } catch {
          // A leftover under a temporary name, which the next start removes.
        }
      }
      made.clear();
    },
  };
}

function toInode(file: string): bigint | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Reads the holder. Null for a file that names no process; `none` when the file does not exist. */
function readHolder(place: string): Holder | null | 'none' {
  try {
    const handle = openSync(place, constants.O_RDONLY | NOFOLLOW_NONBLOCK);
    try {
      const buffer = Buffer.alloc(MAX_BYTES);
      return Holder.parse(JSON.parse(buffer.toString('utf8', 0, readSync(handle, buffer, 0, MAX_BYTES, 0))));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return toSystemCode(error) === 'ENOENT' ? 'none' : null;
  }
}

function toBusyError(): AppError {
  return new AppError('E_IO', 'Another program is writing to this game. Nothing was written.', {
    details: { path: LOCK_FILE },
    hint: 'Try again in a moment.',
    reason: 'write.busy',
  });
}
