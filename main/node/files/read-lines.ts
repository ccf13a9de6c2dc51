import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { NOFOLLOW_NONBLOCK } from './durable-file.ts';
import { isMissing, toIoError, toSpecialFileError } from './io-error.ts';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** A line of a file without its line break; null for one longer than the limit. */
export type FileLine = Buffer | null;

/**
 * Yields the whole lines of a file of the app, in order, with at most one of them in memory. Bytes after the last line
 * break are left out. A line longer than `maxBytes` is null as soon as that is known. Yields no line when the file does
 * not exist; a link, a pipe or a folder throws.
 */
export async function* readLines(file: string, name: string, maxBytes: () => number): AsyncGenerator<FileLine> {
  try {
    yield* readOpenLines(await open(file, constants.O_RDONLY | NOFOLLOW_NONBLOCK), name, maxBytes);
  } catch (error) {
    if (!isMissing(error)) throw toIoError(error, name);
  }
}

async function* readOpenLines(
  handle: Awaited<ReturnType<typeof open>>,
  name: string,
  maxBytes: () => number,
): AsyncGenerator<FileLine> {
  try {
    if (!(await handle.stat()).isFile()) throw toSpecialFileError(name);
    let parts: Buffer[] = [];
    let held = 0;
    let isSkipping = false;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      let start = 0;
      while (start < bytesRead) {
        const feed = chunk.subarray(0, bytesRead).indexOf(LINE_FEED, start);
        const end = feed === -1 ? bytesRead : feed;
        held += end - start;
        if (!isSkipping && held > maxBytes()) {
          isSkipping = true;
          parts = [];
          yield null;
        }
        if (!isSkipping) parts.push(chunk.subarray(start, end));
        start = end + 1;
        if (feed === -1) break;
        if (!isSkipping) yield parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
        parts = [];
        held = 0;
        isSkipping = false;
      }
    }
  } finally {
    await handle.close();
  }
}
