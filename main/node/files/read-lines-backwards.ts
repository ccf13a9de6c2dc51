import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { NOFOLLOW_NONBLOCK } from './durable-file.ts';
import { isMissing, toIoError, toSpecialFileError } from './io-error.ts';
import type { FileLine } from './read-lines.ts';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/**
 * Yields the whole lines of a file of the app, the last one first, one chunk of the file at a time: a batch has the lines
 * that begin in one chunk. Bytes after the last line break are left out; a line longer than `maxBytes` is null. Yields no
 * batch when the file does not exist; a link, a pipe or a folder throws.
 */
export async function* readLinesBackwards(
  file: string,
  name: string,
  { maxBytes, chunkBytes = CHUNK_BYTES }: { maxBytes: number; chunkBytes?: number },
): AsyncGenerator<FileLine[]> {
  try {
    const handle = await open(file, constants.O_RDONLY | NOFOLLOW_NONBLOCK);
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
    // Another process truncated the file: the earlier content is unknown.
    if (bytesRead < chunk.length) return;
    let before = chunk.length;
    while (before > 0) {
      const feed = chunk.lastIndexOf(LINE_FEED, before - 1);
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
