import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { NOFOLLOW_NONBLOCK } from '../../files/durable-file.ts';
import { isMissing, toIoError, toSpecialFileError } from '../../files/io-error.ts';
import type { LineChain } from './line-chain.ts';
import { createLineVerifier, type LineVerifier, type VerifiedLog } from './line-verifier.ts';
import type { TakeEntry } from './parse-entries.ts';

const CHUNK_BYTES = 512 * 1024;

/**
 * Reads the whole lines of a signed log, oldest first; an incomplete last line is left out. Yields no line when the file does not
 * exist; a link, a pipe or a folder throws.
 */
export async function readSignedLog(
  file: string,
  name: string,
  chain: LineChain,
  take: TakeEntry,
): Promise<VerifiedLog> {
  const verifier = createLineVerifier(chain, take);
  try {
    return await readWith(verifier, file, name);
  } catch (error) {
    if (!isMissing(error)) throw toIoError(error, name);
    return verifier.end(Buffer.alloc(0));
  }
}

async function readWith(verifier: LineVerifier, file: string, name: string): Promise<VerifiedLog> {
  const handle = await open(file, constants.O_RDONLY | NOFOLLOW_NONBLOCK);
  let reading: Promise<{ bytesRead: number }> | undefined;
  try {
    if (!(await handle.stat()).isFile()) throw toSpecialFileError(name);
    // Two buffers for the whole log: allocating new ones would cost more than reading.
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let buffer = Buffer.allocUnsafe(2 * CHUNK_BYTES);
    let filled = 0;
    const readOn = () => handle.read(chunk, 0, CHUNK_BYTES, null);
    reading = readOn();
    while (!verifier.isDone()) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) break;
      if (filled + bytesRead > buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
      chunk.copy(buffer, filled, 0, bytesRead);
      filled += bytesRead;
      // The disk works while the lines are verified and parsed.
      reading = readOn();
      const used = verifier.take(buffer.subarray(0, filled));
      buffer.copyWithin(0, used, filled);
      filled -= used;
    }
    return verifier.end(buffer.subarray(0, filled));
  } finally {
    await reading?.catch(() => undefined);
    await handle.close();
  }
}
