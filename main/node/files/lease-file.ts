import { createHash } from 'node:crypto';
import { constants, linkSync, rmSync } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { createDurably, NOFOLLOW_NONBLOCK, toTempName } from './durable-file.ts';
import { isMissing, toIoError, toSystemCode } from './io-error.ts';
import { isAlive, readProcessStart } from './process-start.ts';

/** An owner on another machine cannot be checked: its lease counts as long as it is renewed. */
const EXPIRY_MS = 5 * 60_000;
/** An unreadable file may be one that is being written at this moment. */
const UNREADABLE_EXPIRY_MS = 2_000;
/** A takeover takes milliseconds; a guard older than this does not count, although its process lives. */
const GUARD_EXPIRY_MS = 10_000;
const MAX_BYTES = 4_096;

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
export type Holder = z.infer<typeof Holder>;

/** The place of a lease, and its name in errors. */
export interface LeaseFile {
  path: string;
  name: string;
}

type Found = { kind: 'none' } | { kind: 'torn'; modifiedAt: number } | { kind: 'held'; holder: Holder };

/** Reads a lease. Throws `E_DENY_PATH` for what is no file. */
export async function readLease({ path: file, name }: LeaseFile): Promise<Found> {
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
export async function placeLease(place: LeaseFile, text: string): Promise<boolean> {
  const { path: file, name } = place;
  const temp = path.join(path.dirname(file), `.${toTempName()}`);
  try {
    await createDurably(temp, text, { lazy: true, mode: 0o600 });
    linkSync(temp, file);
    return true;
  } catch (error) {
    if (toSystemCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(toSystemCode(error) ?? '')) throw toIoError(error, name);
    return await placeUnlinked(place, text);
  } finally {
    removeTemp(temp);
  }
}

/** A leftover does not block the next acquisition. */
function removeTemp(temp: string): void {
  try {
    rmSync(temp, { force: true });
  } catch {
    // The next start removes it.
  }
}

/** Writes the file directly, for disks without hard links: a reader may see it incomplete, which `readLease` reports as torn. */
async function placeUnlinked({ path: file, name }: LeaseFile, text: string): Promise<boolean> {
  try {
    await createDurably(file, text, { lazy: true, mode: 0o600 });
    return true;
  } catch (error) {
    if (toSystemCode(error) === 'EEXIST') return false;
    throw toIoError(error, name);
  }
}

/** Returns whether the lease no longer counts: its owner has ended, or has not renewed it. */
export async function isGone(found: Found): Promise<boolean> {
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
export async function takeOver(place: LeaseFile, text: string): Promise<boolean> {
  const { path: file } = place;
  const guard = `${file}.takeover`;
  const guardPlace = { path: guard, name: `${place.name}.takeover` };
  if (!(await placeLease(guardPlace, text))) {
    await removeDeadGuard(guardPlace, text);
    return false;
  }
  try {
    const found = await readLease(place);
    if (!(await isGone(found))) return false;
    if (found.kind === 'none') return await placeLease(place, text);
    const temp = path.join(path.dirname(file), `.${toTempName()}`);
    await createDurably(temp, text, { lazy: true, mode: 0o600 });
    await rename(temp, file);
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

/**
 * Removes the guard of a program that was killed while it took over. Under a guard of its own, named after the dead one: of several
 * programs that find the same, a slower one would remove the guard that a faster one has placed since.
 */
async function removeDeadGuard(guard: LeaseFile, text: string): Promise<void> {
  const dead = await readGuard(guard);
  if (dead === null || !dead.isDead) return;
  const own = { ...guard, path: `${guard.path}.${dead.id}` };
  if (!(await placeLease(own, text))) {
    if ((await readGuard(own))?.isOld) await rm(own.path, { force: true });
    return;
  }
  try {
    if ((await readGuard(guard))?.id === dead.id) await rm(guard.path, { force: true });
  } finally {
    await rm(own.path, { force: true });
  }
}

/** Null: there is none. `id` tells it from a later one. */
async function readGuard(guard: LeaseFile): Promise<{ id: string; isDead: boolean; isOld: boolean } | null> {
  const stats = await lstat(guard.path).catch(() => null);
  if (stats === null) return null;
  if (stats.isDirectory()) throw toNotAFileError(guard.name);
  const found: Found = stats.isFile() ? await readLease(guard) : { kind: 'torn', modifiedAt: stats.mtimeMs };
  const mark = found.kind === 'held' ? JSON.stringify(found.holder) : `${stats.ino} ${stats.mtimeMs}`;
  const isOld = isOlder(stats.mtimeMs, GUARD_EXPIRY_MS);
  const isDead = isOld || (found.kind === 'held' && (await isGone(found)));
  return { id: createHash('sha256').update(mark).digest('hex').slice(0, 16), isDead, isOld };
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
