import { hasBytes, toPictureType } from '../../../../shared/model/message/picture.ts';
import type { ServedFile } from '../served-file.ts';

/** How much of a file must be text until it counts as text. */
const TEXT_BYTES = 64 * 1024;
const TEXT_CONTROLS = new Set(['\t', '\n', '\f', '\r']);
const PNG_HEAD_BYTES = 8;
/** Length, type and checksum of a chunk. */
const CHUNK_BYTES = 12;
const MAX_CHUNKS = 10_000;
/** At most what the end of compressed pixels takes without any of them: an empty block, and two checksums. */
const PNG_TAIL_BYTES = 16;

/** `damaged`: a text, or a PNG that ends before its pixels. */
export type MediaFault = 'empty' | 'damaged';

/**
 * Returns why a picture, sound or film certainly is none that a browser can read whole. Null for all that only a decoder can judge, and
 * for bytes with the extension of another format: browsers read them.
 */
export async function findMediaFault(path: string, file: ServedFile | Buffer): Promise<MediaFault | null> {
  const size = file instanceof Uint8Array ? file.length : file.bytes;
  if (size === 0) return 'empty';
  // A drawing is a text.
  if (/\.svg$/i.test(path)) return null;
  return (await isDamaged(file, size)) ? 'damaged' : null;
}

async function isDamaged(file: ServedFile | Buffer, size: number): Promise<boolean> {
  const read = toReader(file);
  const head = await read(0, 16);
  const type = toPictureType(head);
  if (type === 'image/png') return isCutPng(read, size);
  return type === null && isText(head) && isText(await read(0, TEXT_BYTES));
}

type ReadBytes = (at: number, length: number) => Promise<Uint8Array>;

function toReader(file: ServedFile | Buffer): ReadBytes {
  if (file instanceof Uint8Array) return async (at, length) => file.subarray(at, at + length);
  return async (at, length) => {
    const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  };
}

/** True for the beginning of a text in UTF-8, which may end within a character. */
function isText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return [...text.matchAll(/\p{Cc}/gu)].every(([control]) => TEXT_CONTROLS.has(control));
  } catch {
    return false;
  }
}

/** A PNG without pixels, or whose file ends within them. One that ends between two parts of its pixels is not found. */
async function isCutPng(read: ReadBytes, size: number): Promise<boolean> {
  const end = await read(Math.max(0, size - CHUNK_BYTES), CHUNK_BYTES);
  if (hasBytes(end, 4, 'IEND')) return false;
  let hasPixels = false;
  let at = PNG_HEAD_BYTES;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const chunk = await read(at, 8);
    if (chunk.length < 8) return !hasPixels;
    const length = new DataView(chunk.buffer, chunk.byteOffset).getUint32(0);
    const isPixels = hasBytes(chunk, 4, 'IDAT');
    const next = at + CHUNK_BYTES + length;
    if (isPixels && next > size + PNG_TAIL_BYTES) return true;
    if (hasBytes(chunk, 4, 'IEND')) return !hasPixels;
    hasPixels ||= isPixels;
    at = next;
  }
  return false;
}
