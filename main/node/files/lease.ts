import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSerialQueue } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Lease } from '../../core/ports/logs.ts';
import { NOFOLLOW_NONBLOCK } from './durable-file.ts';
import { type Holder, isGone, type LeaseFile, placeLease, readLease, takeOver } from './lease-file.ts';
import { readOwnProcessStart } from './process-start.ts';

/** Well below the time after which a lease that is not renewed no longer counts. */
const RENEW_INTERVAL_MS = 60_000;
const MAX_ATTEMPTS = 20;

export interface LeaseOptions {
  /** Returns the folder of the lease; null when it does not exist. Creates it when `make` is set. */
  folder: (make: boolean) => Promise<string | null>;
  /** For example `agent.lock`. */
  name: string;
  /** The program's name as other programs show it: `WebGAL Agent (mcp)`. */
  owner: string;
  version?: string;
}

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

  const findFile = async (make: boolean): Promise<LeaseFile | null> => {
    const directory = await folder(make);
    return directory === null ? null : { path: path.join(directory, name), name };
  };

  async function take(): Promise<void> {
    if (mine) return;
    const wanted = await toOwnHolder({ owner, version, token });
    const file = (await findFile(true)) ?? { path: '', name };
    const text = JSON.stringify(wanted);
    for (let tries = 0; ; tries += 1) {
      if (await placeLease(file, text)) break;
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
    const file = mine && (await findFile(false));
    const found = file ? await readLease(file) : null;
    return found?.kind === 'held' && found.holder.token === token;
  }

  async function renew(): Promise<void> {
    const file = await findFile(false);
    if (!mine || !file || !(await isHeld())) return;
    mine = { ...mine, renewedAt: Date.now() };
    const handle = await open(file.path, constants.O_WRONLY | NOFOLLOW_NONBLOCK);
    try {
      // Same length as before, in one write: a reader finds either the old or the new text.
      await handle.write(JSON.stringify(mine), 0);
    } finally {
      await handle.close();
    }
  }

  async function assertHeld(): Promise<void> {
    // What was placed a moment ago need not be read.
    if (!mine) return take();
    if (await isHeld()) return;
    const file = await findFile(false);
    const found = file ? await readLease(file) : null;
    if (found?.kind === 'held') throw toTakenError(found.holder);
    // Another program removed the file: the lease is free, not held by another owner.
    clearInterval(timer);
    mine = null;
    await take();
  }

  async function release(): Promise<void> {
    clearInterval(timer);
    const file = mine && (await findFile(false));
    if (file && (await isHeld())) await rm(file.path, { force: true });
    mine = null;
  }

  return {
    take: () => queue.run(take),
    assertHeld: () => queue.run(assertHeld),
    release: () => queue.run(release),
  };
}

/** Returns this process as the owner of a lease. */
async function toOwnHolder({
  owner,
  version,
  token,
}: {
  owner: string;
  version: string | undefined;
  token: string;
}): Promise<Holder> {
  const now = Date.now();
  return {
    owner,
    pid: process.pid,
    host: hostname(),
    startedAt: now,
    ...(version !== undefined && { version }),
    renewedAt: now,
    processStart: await readOwnProcessStart(),
    token,
  };
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
