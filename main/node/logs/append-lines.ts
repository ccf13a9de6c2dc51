import { fstatSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

import type { Durability } from '../../core/ports/logs.ts';
import { toIoError } from '../files/io-error.ts';

import type { LogState, WaitingLines } from './log-state.ts';
import { isThere, openLog } from './open-log.ts';
import { rotateLog } from './rotate-log.ts';
import { releaseLog, syncLater, syncLog } from './sync-log.ts';

/** Maximum for a blocking write into the page cache; larger writes would block noticeably. */
const MAX_BLOCKING_WRITE_BYTES = 256 * 1024;

/** Appends JSON texts as lines, after those passed in before. Lines that are passed in meanwhile are written together. */
export function appendLines(log: LogState, bodies: readonly string[], durable: Durability): Promise<void> {
  return new Promise((resolve, reject) => {
    log.waiting.push({ bodies, durable, resolve, reject });
    log.writing ??= writeAll(log);
  });
}

async function writeAll(log: LogState): Promise<void> {
  for (let batch = log.waiting; batch.length > 0; batch = log.waiting) {
    log.waiting = [];
    try {
      await write(log, batch);
      log.hasFailed = false;
      for (const one of batch) one.resolve();
    } catch (error) {
      log.hasFailed = true;
      for (const one of batch) one.reject(toIoError(error, log.options.name));
    }
  }
  log.writing = undefined;
}

async function write(log: LogState, batch: readonly WaitingLines[]): Promise<void> {
  const { chain, signature, rotate, syncsBehind = false } = log.options;
  if (log.handle && (!isThere(log) || (chain && fstatSync(log.handle.fd).size !== log.size))) await releaseLog(log);
  log.handle ??= await openLog(log);
  const bodies = batch.flatMap((one) => one.bodies);
  const signed = chain && (await chain()).sign(bodies, log.last, log.digest?.size === log.size ? log.digest : null);
  const own = signature && (await signature());
  const toLine = (body: string) => `${own ? own.sign(body) : body}\n`;
  const bytes = Buffer.from(signed?.lines ?? bodies.map(toLine).join(''));
  let written = 0;
  try {
    // A blocking write takes microseconds, a round trip through the thread pool about fifty.
    if (bytes.length > 0 && bytes.length <= MAX_BLOCKING_WRITE_BYTES) written += writeSync(log.handle.fd, bytes);
    while (written < bytes.length) written += (await log.handle.write(bytes, written)).bytesWritten;
    if (batch.some((one) => one.durable)) {
      const isAwaited = !syncsBehind && batch.some((one) => one.durable === true);
      log.isSynced = isAwaited;
      if (isAwaited) await syncLog(log, log.handle);
      else syncLater(log);
    }
  } catch (error) {
    await takeBack(log, log.handle, written);
    await log.syncing;
    await log.handle.close().catch(() => undefined);
    log.handle = undefined;
    throw error;
  }
  log.size += bytes.length;
  if (signed) Object.assign(log, { last: signed.last, digest: signed.digest });
  // The lines are written: a log that is too long is better than a failed append.
  if (rotate && log.size > rotate.bytes) await rotateLog(log, rotate.keep).catch(() => undefined);
}

/** Removes refused lines so that they cannot be read later; if that fails, a torn line is truncated at the next open. */
async function takeBack(log: LogState, failed: FileHandle, written: number): Promise<void> {
  try {
    // Another window may have appended its own lines after these: then nothing is truncated.
    if ((await failed.stat()).size === log.size + written) await failed.truncate(log.size);
  } catch {
    // The disk is gone rather than full; the caller receives the first error.
  }
}
