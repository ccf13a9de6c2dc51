import { closeSync, constants, linkSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

import { NOFOLLOW_NONBLOCK, toTempName } from '../files/durable-file.ts';
import { toIoError, toSystemCode } from '../files/io-error.ts';
import { isAlive, readOwnProcessStart, readProcessStart } from '../files/process-start.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

export const LOCK_FILE = 'write.lock';
const TEMP_PART = 'tmp';
/** A holder that cannot be examined (another machine, an unreadable file) and was seen for this long counts as gone. */
const EXPIRY_MS = 60_000;
const UNREADABLE_EXPIRY_MS = 2_000;
const MAX_BYTES = 1_024;
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

const Holder = z.object({
  pid: z.int().positive(),
  host: z.string().max(300),
  start: z.string().max(200).nullable(),
});
type Holder = z.infer<typeof Holder>;

/** The file that names this process, and the links to it. */
export interface LockHolder {
  /** Returns the path of the file; creates it where it is missing. */
  toOwn(): Promise<string>;
  /** Links this process's file to `place`; false where a file exists. */
  claim(place: string): Promise<boolean>;
  /** Removes the file. */
  close(): Promise<void>;
}

export function createLockHolder(folder: AgentFolder): LockHolder {
  let own: Promise<string> | undefined;
  /** Every file created under a temporary name: one that could not be removed may be removable when the lock is closed. */
  const made = new Set<string>();
  let text: string | undefined;

  async function makeOwn(): Promise<string> {
    text ??= JSON.stringify({
      pid: process.pid,
      host: hostname(),
      start: await readOwnProcessStart(),
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

  async function claim(place: string): Promise<boolean> {
    for (let tries = 0; ; tries += 1) {
      const file = await toOwn();
      try {
        linkSync(file, place);
        return true;
      } catch (error) {
        const code = toSystemCode(error) ?? '';
        if (code === 'EEXIST') return false;
        if (NO_LINKS.has(code)) return claimUnlinked(place, text ?? '');
        // Removed as a leftover of a process that is gone, or with the whole folder.
        own = undefined;
        if (code !== 'ENOENT' || tries > 1) throw toIoError(error, LOCK_FILE);
      }
    }
  }

  return {
    toOwn,
    claim,
    async close() {
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

/**
 * Writes the file directly, for disks without hard links: others may see it before it is complete, which counts as
 * unreadable.
 */
function claimUnlinked(place: string, text: string): boolean {
  try {
    writeFileSync(place, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (toSystemCode(error) === 'EEXIST') return false;
    throw toIoError(error, LOCK_FILE);
  }
}

/** Returns whether the process that a lock names is gone. `since`: when the lock was first seen, in ms since 1970. */
export async function isHolderGone(place: string, since: number): Promise<boolean> {
  const holder = readHolder(place);
  if (holder === 'none') return false;
  if (holder === null) return Date.now() - since > UNREADABLE_EXPIRY_MS;
  if (holder.host !== hostname()) return Date.now() - since > EXPIRY_MS;
  if (!isAlive(holder.pid)) return true;
  const start = await readProcessStart(holder.pid);
  return start !== null && start !== holder.start;
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
