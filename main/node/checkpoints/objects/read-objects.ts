import { createHash, hash as hashOnce } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { CREATE_NEW, NOFOLLOW_NONBLOCK } from '../../files/durable-file.ts';
import { isMissing } from '../../files/io-error.ts';
import { readNames } from '../../files/read-names.ts';
import { HASH, type StorePlaces, toObjectFile } from './store-places.ts';

const waitForDisk = promisify(fsync);
const CHUNK_BYTES = 1024 * 1024;
let buffer: Buffer | undefined;

/** The bytes of a file, or what is stored of them. */
export interface ObjectFacts {
  hash: string;
  bytes: number;
}

/** Returns the hash and the number of bytes of an open file, from its beginning. */
export function hashHandle(handle: number, onBytes: (bytes: number) => void = () => undefined): ObjectFacts {
  return readThrough(handle, (chunk) => onBytes(chunk.length));
}

/** Copies an object to a new file while its bytes are checked. Returns false if they are missing or damaged. */
export async function copyObject(
  places: StorePlaces,
  wanted: ObjectFacts,
  target: { file: string; mode: number; onBytes: (bytes: number) => void },
): Promise<boolean> {
  let source: number;
  try {
    source = openSync(toObjectFile(places, wanted.hash), constants.O_RDONLY | NOFOLLOW_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  try {
    const handle = openSync(target.file, CREATE_NEW, target.mode);
    try {
      const { hash, bytes } = readThrough(source, (chunk) => {
        writeWhole(handle, chunk);
        target.onBytes(chunk.length);
      });
      if (hash !== wanted.hash || bytes !== wanted.bytes) return false;
      await waitForDisk(handle);
      return true;
    } finally {
      closeSync(handle);
    }
  } finally {
    closeSync(source);
  }
}

/** Returns the bytes of an object; null if they are missing or damaged. */
export function readObject(places: StorePlaces, hash: string): Buffer | null {
  try {
    const bytes = readFileSync(toObjectFile(places, hash));
    return hashOnce('sha256', bytes, 'hex') === hash ? bytes : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function hasObject(places: StorePlaces, hash: string): boolean {
  return existsSync(toObjectFile(places, hash));
}

/** Yields the hashes of all objects. */
export function* listObjects({ objects }: StorePlaces): Generator<string> {
  for (const part of readNames(objects)) {
    for (const name of readNames(path.join(objects, part))) if (HASH.test(name)) yield name;
  }
}

/** Returns the bytes that all files of a store take. */
export function measureStore({ objects, temps }: StorePlaces): number {
  let sum = 0;
  const folders = [temps, ...readNames(objects).map((part) => path.join(objects, part))];
  for (const folder of folders) {
    try {
      for (const name of readdirSync(folder)) {
        sum += lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      }
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return sum;
}

/** Passes all bytes of an open file on, in pieces that are valid until the next one, and returns their hash. */
export function readThrough(handle: number, take: (chunk: Buffer) => void): ObjectFacts {
  buffer ??= Buffer.allocUnsafe(CHUNK_BYTES);
  const sum = createHash('sha256');
  let position = 0;
  for (;;) {
    const read = readSync(handle, buffer, 0, CHUNK_BYTES, position);
    if (read === 0) return { hash: sum.digest('hex'), bytes: position };
    const chunk = buffer.subarray(0, read);
    sum.update(chunk);
    take(chunk);
    position += read;
  }
}

export function writeWhole(handle: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
}
