import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createSerialQueue } from '../../../shared/async.ts';

import { AppError } from '../../../shared/errors.ts';
import type { Lease } from '../../core/ports.ts';
import { createDurably, NOFOLLOW_NONBLOCK, toTempName } from './durable-file.ts';

import { isMissing, toIoError, toSystemCode } from './io-error.ts';
import { isAlive, readProcessStart } from './process-start.ts';

/** An owner on another machine cannot be checked: its lease counts as long as it is renewed. */
const RENEW_INTERVAL_MS = 60_000;
const EXPIRY_MS = 5 * 60_000;
/** An unreadable file may be one that is being written at this moment. */
const UNREADABLE_EXPIRY_MS = 2_000;
/** A takeover takes milliseconds; a guard older than this belongs to a process that died. */
const GUARD_EXPIRY_MS = 10_000;
const MAX_BYTES = 4_096;
const MAX_ATTEMPTS = 20;

const Holder = z.object({
  owner: z.string().max(100),
  /** Positive: the system takes zero and negative numbers for process groups. */
  pid: z.int().positive(),
  host: z.string().max(300),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  version: z.string().max(100).optional(),
  renewedAt: z.number().optional(),
  processStart: z.string().max(200).nullish(),
  token: z.string().max(100).optional(),
});
type Holder = z.infer<typeof Holder>;

export interface LeaseOptions {
  /** Returns the folder of the lease; null when it does not exist. Creates it when `make` is set. */
  folder: (make: boolean) => Promise<string | null>;
  /** For example `agent.lock`. */
  name: string;
  /** The program's name as other programs show it: `WebGAL Agent (mcp)`. */
  owner: string;
  version?: string;
}

type Found = { kind: 'none' } | { kind: 'torn'; modifiedAt: number } | { kind: 'held'; holder: Holder };

/**
 * Creates a lease: one file that names the program with exclusive access. The file is created complete and only where
 * none exists (a hard link to a finished file), so exactly one of two competing programs gets it, and no existing link is
 * followed. The lease of a dead owner is replaced under a second such file, so that two programs that find it dead do not
 * both replace it.
 */
export function createLease({ folder, name, owner, version }: LeaseOptions): Lease {
  const token = randomUUID();
  let mine: Holder | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** One operation at a time: two concurrent acquisitions would each take the other's file for that of another owner. */
  const queue = createSerialQueue();

  const toPath = async (make: boolean): Promise<string | null> => {
    const directory = await folder(make);
    return directory && path.join(directory, name);
  };

  async function readLease(file: string): Promise<Found> {
    let handle: Awaited<ReturnType<typeof open>>;
    try {
      handle = await open(file, constants.O_RDONLY | NOFOLLOW_NONBLOCK);
    } catch (error) {
      if (isMissing(error)) return { kind: 'none' };
      if (toSystemCode(error) === 'ELOOP') throw toNotAFileError(name);
      throw toIoError(error, name);
    }
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw toNotAFileError(name);
      const buffer = Buffer.alloc(MAX_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, MAX_BYTES, 0);
      const holder = toHolder(buffer.toString('utf8', 0, bytesRead));
      return holder ? { kind: 'held', holder } : { kind: 'torn', modifiedAt: stats.mtimeMs };
    } finally {
      await handle.close();
    }
  }

  /** Puts a finished file in place unless a file exists there. */
  async function place(file: string, text: string): Promise<boolean> {
    const temp = path.join(path.dirname(file), `.${toTempName()}`);
    try {
      await createDurably(temp, text, { lazy: true, mode: 0o600 });
      await link(temp, file);
      return true;
    } catch (error) {
      if (toSystemCode(error) === 'EEXIST') return false;
      if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(toSystemCode(error) ?? '')) throw toIoError(error, name);
      return await placeUnlinked(file, text);
    } finally {
      await rm(temp, { force: true }).catch(() => undefined); // A leftover does not block the next acquisition.
    }
  }

  /** Writes the file directly, for disks without hard links: a reader may see it incomplete, which `readLease` reports as torn. */
  async function placeUnlinked(file: string, text: string): Promise<boolean> {
    try {
      await createDurably(file, text, { lazy: true, mode: 0o600 });
      return true;
    } catch (error) {
      if (toSystemCode(error) === 'EEXIST') return false;
      throw toIoError(error, name);
    }
  }

  async function isGone(found: Found): Promise<boolean> {
    if (found.kind === 'none') return true;
    if (found.kind === 'torn') return isOlder(found.modifiedAt, UNREADABLE_EXPIRY_MS);
    const { holder } = found;
    const lastRenewal = holder.renewedAt ?? holder.startedAt;
    const isExpired = isOlder(lastRenewal, EXPIRY_MS);
    if (holder.host !== hostname()) return isExpired;
    if (!isAlive(holder.pid)) return true;
    const start = await readProcessStart(holder.pid);
    // After sleep a living owner may have missed renewals, so missed renewals count only where the process cannot be
    // checked.
    return holder.processStart && start ? holder.processStart !== start : isExpired;
  }

  /** Replaces the lease of an owner that is gone, unless another program is doing so. */
  async function takeOver(file: string, text: string): Promise<boolean> {
    const guard = `${file}.takeover`;
    if (!(await place(guard, text))) {
      const stats = await lstat(guard).catch(() => null);
      if (stats && isOlder(stats.mtimeMs, GUARD_EXPIRY_MS)) await rm(guard, { force: true });
      return false;
    }
    try {
      const found = await readLease(file);
      if (!(await isGone(found))) return false;
      if (found.kind === 'none') return await place(file, text);
      const temp = path.join(path.dirname(file), `.${toTempName()}`);
      await createDurably(temp, text, { lazy: true, mode: 0o600 });
      await rename(temp, file);
      return true;
    } finally {
      await rm(guard, { force: true });
    }
  }

  async function take(): Promise<void> {
    if (mine) return;
    const now = Date.now();
    const wanted: Holder = {
      owner,
      pid: process.pid,
      host: hostname(),
      startedAt: now,
      ...(version !== undefined && { version }),
      renewedAt: now,
      processStart: await readProcessStart(process.pid),
      token,
    };
    const file = (await toPath(true)) ?? '';
    const text = JSON.stringify(wanted);
    for (let tries = 0; ; tries += 1) {
      if (await place(file, text)) break;
      const found = await readLease(file);
      if (await isGone(found)) {
        if (await takeOver(file, text)) break;
      } else if (found.kind === 'held') throw toTakenError(found.holder);
      if (tries >= MAX_ATTEMPTS) throw toTakenError(found.kind === 'held' ? found.holder : null);
      await sleep(50 + Math.random() * 100);
    }
    mine = wanted;
    // A failed renewal is reported by the next `assertHeld`.
    timer = setInterval(() => void queue.run(renew).catch(() => undefined), RENEW_INTERVAL_MS);
    timer.unref();
  }

  async function isHeld(): Promise<boolean> {
    const file = mine && (await toPath(false));
    const found = file ? await readLease(file) : null;
    return found?.kind === 'held' && found.holder.token === token;
  }

  async function renew(): Promise<void> {
    const file = await toPath(false);
    if (!mine || !file || !(await isHeld())) return;
    mine = { ...mine, renewedAt: Date.now() };
    const handle = await open(file, constants.O_WRONLY | NOFOLLOW_NONBLOCK);
    try {
      // Same length as before, in one write: a reader finds either the old or the new text.
      await handle.write(JSON.stringify(mine), 0);
    } finally {
      await handle.close();
    }
  }

  async function assertHeld(): Promise<void> {
    await take();
    if (await isHeld()) return;
    const file = await toPath(false);
    const found = file ? await readLease(file) : null;
    if (found?.kind === 'held') throw toTakenError(found.holder);
    // Another program removed the file: the lease is free, not held by another owner.
    clearInterval(timer);
    mine = null;
    await take();
  }

  async function release(): Promise<void> {
    clearInterval(timer);
    const file = mine && (await toPath(false));
    if (file && (await isHeld())) await rm(file, { force: true });
    mine = null;
  }

  return {
    take: () => queue.run(take),
    assertHeld: () => queue.run(assertHeld),
    release: () => queue.run(release),
  };
}

/** A time that is far ahead counts as old, too: a game can bring files with any time. */
function isOlder(time: number, age: number): boolean {
  return Math.abs(Date.now() - time) > age;
}

function toHolder(text: string): Holder | null {
  try {
    return Holder.parse(JSON.parse(text));
  } catch {
    // Torn, or not written by the app.
    return null;
  }
}

function toNotAFileError(name: string): AppError {
  return new AppError('E_DENY_PATH', `"${name}" in the app's folder is a link or a folder where a file should be.`, {
    details: { path: name },
    hint: 'Remove it, then try again.',
    reason: 'project.agentFolder',
  });
}

/** Formats local time: `2026-11-20 15:20`. */
function toLocalTime(moment: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' }).format(moment);
}

function toTakenError(holder: Holder | null): AppError {
  const hint = 'Let it finish or close it, then try again.';
  const reason = 'project.heldElsewhere';
  if (!holder) return new AppError('E_CONFLICT', 'Another program is opening this game.', { hint, reason });
  const { owner, pid, host } = holder;
  const began = new Date(holder.startedAt);
  const since = Number.isFinite(began.getTime()) ? toLocalTime(began) : 'an unknown time';
  return new AppError('E_CONFLICT', `${owner} (process ${pid} on ${host}) has had this game open since ${since}.`, {
    details: { owner, pid, host, since },
    hint,
    reason,
  });
}
