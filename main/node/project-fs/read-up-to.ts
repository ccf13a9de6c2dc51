import { read, readSync } from 'node:fs';
import { promisify } from 'node:util';

const readLater = promisify(read);

/** Maximum for a blocking read from the page cache; larger reads would block noticeably. */
const MAX_BLOCKING_READ_BYTES = 256 * 1024;

/** A longer read waited for the disk; the reads that follow do not block for a while. */
const SLOW_MS = 1;
const SLOW_FOR_MS = 200;
let slowUntil = 0;

export interface ReadLimits {
  maxBytes: number;
  /** The file was read a moment ago, so that reading it again does not wait for the disk. */
  inMemory?: boolean;
}

/**
 * Reads all of an open file, whatever size was reported: it may grow, and files of `/proc` report a wrong size. Null when
 * it is longer than `maxBytes`.
 */
export async function readUpTo(handle: number, expected: number, limits: ReadLimits): Promise<Buffer | null> {
  const { maxBytes, inMemory = false } = limits;
  const isQuick = expected <= MAX_BLOCKING_READ_BYTES && (inMemory || performance.now() > slowUntil);
  const startedAt = performance.now();
  let buffer = Buffer.allocUnsafe(Math.min(expected, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const left = buffer.length - length;
    const bytesRead = isQuick
      ? readSync(handle, buffer, length, left, length)
      : (await readLater(handle, buffer, length, left, length)).bytesRead;
    length += bytesRead;
    if (performance.now() - startedAt > SLOW_MS) slowUntil = performance.now() + SLOW_FOR_MS;
    if (length > maxBytes) return null;
    // Exactly the reported size: end of file. With a reported size of 0, the end is read explicitly.
    if (bytesRead === 0 || (length === expected && expected > 0)) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
  }
}
