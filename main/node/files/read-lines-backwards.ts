import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { NO_SURPRISES } from './durable-file.ts';
import { isMissing, toIoError, toSpecialFileError } from './io-error.ts';
import type { FileLine } from './read-lines.ts';

const CHUNK_BYTES = 256 * 1024;
const FEED = 0x0a;

/**
 * The whole lines of a file of the app's own, the last one first, a piece of the file at a time: a batch holds the lines
 * that begin in one piece. What follows the last line break is left out; a line longer than `maxBytes` comes as null.
 * Nothing is yielded when there is no file; a link, a pipe or a folder throws.
 */
export async function* readLinesBackwards(
  file: string,
  name: string,
  { maxBytes, chunkBytes = CHUNK_BYTES }: { maxBytes: number; chunkBytes?: number },
): AsyncGenerator<FileLine[]> {
  try {
    const handle = await open(file, constants.O_RDONLY | NO_SURPRISES);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw toSpecialFileError(name);
      yield* readPieces(handle, stats.size, { maxBytes, chunkBytes });
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!isMissing(error)) throw toIoError(error, name);
  }
}

async function* readPieces(
  handle: FileHandle,
  size: number,
  { maxBytes, chunkBytes }: { maxBytes: number; chunkBytes: number },
): AsyncGenerator<FileLine[]> {
  /** The end of a line whose beginning was not read yet, in order. */
  let parts: Buffer[] = [];
  let held = 0;
  let hasFeed = false;
  let batch: FileLine[] = [];

  const add = (part: Buffer): void => {
    held += part.length;
    if (held <= maxBytes) parts.unshift(part);
    else parts = [];
  };
  const endLine = (): void => {
    if (hasFeed) batch.push(held > maxBytes ? null : parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
    parts = [];
    held = 0;
  };

  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunkBytes);
    const chunk = Buffer.allocUnsafe(end - start);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, start);
    // Cut short by whoever writes it: what was there is not known any more.
    if (bytesRead < chunk.length) return;
    let before = chunk.length;
    while (before > 0) {
      const feed = chunk.lastIndexOf(FEED, before - 1);
      add(chunk.subarray(feed + 1, before));
      if (feed === -1) break;
      endLine();
      hasFeed = true;
      before = feed;
    }
    end = start;
    if (end === 0) endLine();
    if (batch.length > 0) yield batch;
    batch = [];
  }
}
