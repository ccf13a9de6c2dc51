import { unwatchFile, watchFile } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createSerialQueue } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Lease } from '../../core/ports/logs.ts';
import type { ApprovalStore } from '../../core/ports/stores/approval-store.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { createLease } from '../files/lease.ts';
import { readPrivateFile } from '../files/private-file.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';

const FOLDER = 'approvals';
const OWNER = 'WebGAL Agent';
const MAX_BYTES = 24 * 1024 * 1024;
/** For what is stored later of calls that were taken: answers, errors, and states. */
const ROOM_BYTES = 8 * 1024 * 1024;
/** Milliseconds that another program may take for a change, and between two attempts. */
const LOCK = { within: 10_000, between: 20 };

/** Milliseconds between two looks at the file. Asking for its time works on each system and also while its folder is missing. */
const LOOKS_EVERY_MS = 1000;

const Signed = z.object({ mark: z.string(), text: z.string() });

/** Creates the store of one game. `projectId` is an id of `FolderNames`, which contains no separators. */
export function createApprovalFile(
  dataFolder: string,
  projectId: string,
  signature: JournalSignature,
  { maxBytes = MAX_BYTES }: { maxBytes?: number } = {},
): ApprovalStore & { close(): Promise<void> } {
  const folder = path.join(dataFolder, FOLDER);
  const name = `${projectId}.json`;
  const file = path.join(folder, name);
  const fileBytes = toFileBytes(maxBytes);
  const queue = createSerialQueue();
  const claims = new Map<string, Lease>();
  const { watch, unwatch } = watchTime(file);

  const makeFolder = async (): Promise<string> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
  const toLease = (part: string) => createLease({ folder: makeFolder, name: `${projectId}.${part}lock`, owner: OWNER });

  async function read(): Promise<unknown[]> {
    const bytes = await readPrivateFile(file, name, { maxBytes: fileBytes });
    if (bytes === null) return [];
    try {
      const { mark, text } = Signed.parse(JSON.parse(bytes.toString()));
      // The name is signed, too: the list of one game is none of another.
      return (await signature.isOurs(`${projectId}\n${text}`, mark))
        ? z.array(z.unknown()).parse(JSON.parse(text))
        : [];
    } catch {
      return [];
    }
  }

  async function write(next: readonly unknown[]): Promise<void> {
    const text = JSON.stringify(next);
    const mark = await signature.toMark(`${projectId}\n${text}`);
    const content = JSON.stringify({ mark, text });
    requireReadable(content, fileBytes);
    await writeDurably(path.join(await makeFolder(), name), content, 0o600);
  }

  async function change<T>(work: (stored: unknown[]) => { next: unknown[] | null; result: T }): Promise<T> {
    const lock = toLease('');
    await takeSoon(lock);
    try {
      const { next, result } = work(await read());
      if (next !== null) await write(next);
      return result;
    } finally {
      await lock.release();
    }
  }

  const toError = (error: unknown): never => {
    throw error instanceof AppError ? error : toIoError(error, name);
  };
  return {
    maxBytes,
    read: () => queue.run(() => read().catch(toError)),
    change: (work) => queue.run(() => change(work).catch(toError)),
    async claim(id) {
      const lease = toLease(`${id}.`);
      const isMine = await lease.take().then(() => true, isConflict);
      if (isMine) claims.set(id, lease);
      return isMine;
    },
    async release(id) {
      await claims.get(id)?.release();
      claims.delete(id);
    },
    watch,
    close: () =>
      queue.run(async () => {
        unwatch();
        for (const lease of claims.values()) await lease.release();
        claims.clear();
      }),
  };
}

/** The file holds the JSON as a string, whose quotes and backslashes are escaped: it has twice the bytes at most. */
const toFileBytes = (maxBytes: number): number => 2 * (maxBytes + ROOM_BYTES);

/** Throws for a file that could not be read again, which would lock the list for good. */
function requireReadable(content: string, maxBytes: number): void {
  if (Buffer.byteLength(content) <= maxBytes) return;
  throw new AppError('E_TOO_LARGE', 'The list of calls that wait would be too large. It was not changed.', {
    hint: 'Answer calls that wait in the app first.',
    reason: 'approval.full',
  });
}

/** Calls listeners when the time of a file changes, until each is taken out, or all are. */
function watchTime(file: string): { watch: ApprovalStore['watch']; unwatch: () => void } {
  const looks = new Set<() => void>();
  const remove = (look: () => void): void => {
    looks.delete(look);
    unwatchFile(file, look);
  };
  return {
    watch(listener) {
      const look = () => listener();
      looks.add(look);
      watchFile(file, { interval: LOOKS_EVERY_MS, persistent: false }, look);
      return () => remove(look);
    },
    unwatch() {
      for (const look of looks) remove(look);
    },
  };
}

async function takeSoon(lock: Lease): Promise<void> {
  const until = Date.now() + LOCK.within;
  for (;;) {
    try {
      await lock.take();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      isConflict(error);
      await sleep(LOCK.between * (0.5 + Math.random()));
    }
  }
}

/** Returns false for a lease that another program has; throws any other error. */
function isConflict(error: unknown): false {
  if (error instanceof AppError && error.code === 'E_CONFLICT') return false;
  throw error;
}
