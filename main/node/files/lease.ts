import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { Lease } from '../../core/ports.ts';
import { createDurably, NO_SURPRISES, toTempName } from './durable-file.ts';
import { isMissing, toIoError, toSystemCode } from './io-error.ts';
import { isAlive, readProcessStart } from './process-start.ts';

/** An owner on another machine cannot be looked at: it counts as long as it says now and then that it is there. */
const RENEW_EVERY = 60_000;
const FORGOTTEN_AFTER = 5 * 60_000;
/** A file that says nothing may be one that is being written at this moment. */
const TORN_AFTER = 2_000;
/** Taking over is a matter of milliseconds; who takes longer has died at it. */
const STUCK_AFTER = 10_000;
const MOST_BYTES = 4_096;
const TRIES = 20;

const Holder = z.object({
  owner: z.string().max(100),
  /** Above nought: nought and less mean groups of processes to the system. */
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
  /** The folder it lies in, made if need be when `make` is set; null while there is none. */
  folder: (make: boolean) => Promise<string | null>;
  /** `agent.lock` */
  name: string;
  /** What the program is, as the one who comes second is told: `WebGAL Agent (mcp)`. */
  owner: string;
  version?: string;
}

type Found = { kind: 'none' } | { kind: 'torn'; modifiedAt: number } | { kind: 'held'; holder: Holder };

/**
 * One file that says which program has something to itself. It comes into being whole and only where nothing was (a hard
 * link to a finished file), so of two that want it one gets it, and no link that lies there is ever followed. A holder
 * that no longer lives is replaced under a second such file, so that two who find it dead do not both.
 */
export function createLease({ folder, name, owner, version }: LeaseOptions): Lease {
  const token = randomUUID();
  let mine: Holder | null = null;
  let timer: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  /** One thing at a time: two that took it at once would each meet the other's file and call it someone else's. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => undefined); // Reported to the caller.
    return done;
  }

  const toPath = async (make: boolean): Promise<string | null> => {
    const directory = await folder(make);
    return directory && path.join(directory, name);
  };

  async function look(file: string): Promise<Found> {
    let handle: Awaited<ReturnType<typeof open>>;
    try {
      handle = await open(file, constants.O_RDONLY | NO_SURPRISES);
    } catch (error) {
      if (isMissing(error)) return { kind: 'none' };
      if (toSystemCode(error) === 'ELOOP') throw toStrange(name);
      throw toIoError(error, name);
    }
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw toStrange(name);
      const buffer = Buffer.alloc(MOST_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, MOST_BYTES, 0);
      const holder = toHolder(buffer.toString('utf8', 0, bytesRead));
      return holder ? { kind: 'held', holder } : { kind: 'torn', modifiedAt: stats.mtimeMs };
    } finally {
      await handle.close();
    }
  }

  /** Puts a finished file in place, if nothing lies there. */
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
      await rm(temp, { force: true }).catch(() => undefined); // Whoever takes next is not kept from it by a leftover.
    }
  }

  /** Some disks have no hard links: there the file may be seen while it is being written, which `look` calls torn. */
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
    if (found.kind === 'torn') return Date.now() - found.modifiedAt > TORN_AFTER;
    const { holder } = found;
    const heardOf = holder.renewedAt ?? holder.startedAt;
    const isSilent = Math.abs(Date.now() - heardOf) > FORGOTTEN_AFTER;
    if (holder.host !== hostname()) return isSilent;
    if (!isAlive(holder.pid)) return true;
    const start = await readProcessStart(holder.pid);
    // A machine that slept has a holder who was silent and lives on; only where nothing else can be told does that count.
    return holder.processStart && start ? holder.processStart !== start : isSilent;
  }

  /** Replaces a holder that is gone, unless someone else is at it. */
  async function takeOver(file: string, text: string): Promise<boolean> {
    const guard = `${file}.takeover`;
    if (!(await place(guard, text))) {
      const stats = await lstat(guard).catch(() => null);
      if (stats && Date.now() - stats.mtimeMs > STUCK_AFTER) await rm(guard, { force: true });
      return false;
    }
    try {
      const found = await look(file);
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
      const found = await look(file);
      if (await isGone(found)) {
        if (await takeOver(file, text)) break;
      } else if (found.kind === 'held') throw toTaken(found.holder);
      if (tries >= TRIES) throw toTaken(found.kind === 'held' ? found.holder : null);
      await sleep(50 + Math.random() * 100);
    }
    mine = wanted;
    timer = setInterval(() => void inTurn(renew).catch(() => undefined), RENEW_EVERY); // Told at the next `assertHeld`.
    timer.unref();
  }

  async function isHeld(): Promise<boolean> {
    const file = mine && (await toPath(false));
    const found = file ? await look(file) : null;
    return found?.kind === 'held' && found.holder.token === token;
  }

  async function renew(): Promise<void> {
    const file = await toPath(false);
    if (!mine || !file || !(await isHeld())) return;
    mine = { ...mine, renewedAt: Date.now() };
    const handle = await open(file, constants.O_WRONLY | NO_SURPRISES);
    try {
      // The same length as before, in one write: whoever reads meanwhile finds the one or the other.
      await handle.write(JSON.stringify(mine), 0);
    } finally {
      await handle.close();
    }
  }

  async function assertHeld(): Promise<void> {
    await take();
    if (await isHeld()) return;
    const file = await toPath(false);
    const found = file ? await look(file) : null;
    if (found?.kind === 'held') throw toTaken(found.holder);
    // Somebody removed the file: then nobody has it, and it is there for the taking.
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

  return { take: () => inTurn(take), assertHeld: () => inTurn(assertHeld), release: () => inTurn(release) };
}

function toHolder(text: string): Holder | null {
  try {
    return Holder.parse(JSON.parse(text));
  } catch {
    // Torn, or not of our making.
    return null;
  }
}

function toStrange(name: string): AppError {
  return new AppError('E_DENY_PATH', `"${name}" in the app's folder is a link or a folder where a file should be.`, {
    details: { path: name },
    hint: 'Remove it, then try again.',
    reason: 'project.agentFolder',
  });
}

/** As the clock on her wall says it: `2026-11-20 15:20`. */
function toLocalTime(moment: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' }).format(moment);
}

function toTaken(holder: Holder | null): AppError {
  const hint = 'Let it finish or close it, then try again.';
  const reason = 'project.heldElsewhere';
  if (!holder) return new AppError('E_CONFLICT', 'Another program is just taking hold of this game.', { hint, reason });
  const { owner, pid, host } = holder;
  const began = new Date(holder.startedAt);
  const since = Number.isFinite(began.getTime()) ? toLocalTime(began) : 'an unknown time';
  return new AppError('E_CONFLICT', `${owner} (process ${pid} on ${host}) holds this game since ${since}.`, {
    details: { owner, pid, host, since },
    hint,
    reason,
  });
}
