import type { FileHandle } from 'node:fs/promises';

import { BODY_AT } from './chain/line-chain.ts';

const LINE_FEED = 0x0a;

/** Truncates a line without its line break: a crash cut it off, and it was never acknowledged. */
export async function removeTornTail(handle: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    const feed = chunk.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (feed !== -1) {
      if (start + feed + 1 < size) await handle.truncate(start + feed + 1);
      return start + feed + 1;
    }
    end = start;
  }
  if (size > 0) await handle.truncate(0);
  return 0;
}

/** Reads the first bytes of the last whole line of a file that ends at `end`. */
export async function readLastHead(handle: FileHandle, end: number): Promise<Buffer> {
  const chunk = Buffer.alloc(64 * 1024);
  let start = 0;
  // Starts after the line break before the last one.
  for (let before = end - 1; before > 0; ) {
    const from = Math.max(0, before - chunk.length);
    const { bytesRead } = await handle.read(chunk, 0, before - from, from);
    const feed = chunk.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (feed !== -1) {
      start = from + feed + 1;
      break;
    }
    before = from;
  }
  const { bytesRead } = await handle.read(chunk, 0, Math.min(BODY_AT, end - start), start);
  return chunk.subarray(0, bytesRead);
}
