import { AppError } from '../../../shared/errors.ts';
import type { KeptFile } from '../../../shared/model/checkpoint.ts';
import { toPictureType } from '../../../shared/model/message/picture.ts';
import { isMediaName } from '../../../shared/paths/media-name.ts';
import type { Reader } from '../ports/reader.ts';
import type { Checkpoints } from '../ports/stores/checkpoints.ts';
import type { Pictures } from '../ports/stores/pictures.ts';

/** Larger texts are not compared, larger pictures not shown. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const MAX_PICTURE_BYTES = 16 * 1024 * 1024;

/** Returns a file of a checkpoint for the page. Throws `E_NOT_FOUND` for a checkpoint that is gone. */
export async function readKeptFile(
  checkpoints: Checkpoints,
  { id, path }: { id: string; path: string },
): Promise<KeptFile> {
  const file = await checkpoints.find(id, path);
  if (file === null) return { kind: 'none' };
  if (file.bytes > (isMediaName(path) ? MAX_PICTURE_BYTES : MAX_TEXT_BYTES)) return { kind: 'tooLarge' };
  try {
    const bytes = await checkpoints.read(file);
    const type = toPictureType(bytes);
    if (type) return { kind: 'picture', type, data: toBase64(bytes) };
    const text = isMediaName(path) ? null : toStrictText(bytes);
    return text === null ? { kind: 'other' } : { kind: 'text', text };
  } catch (error) {
    if (error instanceof AppError && error.reason === 'checkpoint.damaged') return { kind: 'damaged' };
    throw error;
  }
}

/** Returns a file as it is on the disk. */
export async function readPresentFile(
  { reader, pictures }: { reader: Reader; pictures: Pictures },
  path: string,
): Promise<KeptFile> {
  const info = await reader.stat(path);
  if (info === null || info.isDirectory) return { kind: 'none' };
  try {
    if (!isMediaName(path)) return { kind: 'text', text: (await reader.read(path, { maxBytes: MAX_TEXT_BYTES })).text };
    if (info.bytes > MAX_PICTURE_BYTES) return { kind: 'tooLarge' };
    return { kind: 'picture', ...(await pictures.readAsset(path)) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'E_TOO_LARGE') return { kind: 'tooLarge' };
    if (error.code === 'E_NOT_FOUND') return { kind: 'none' };
    return { kind: 'other' };
  }
}

/** Returns null for bytes that are not strict UTF-8, or with a NUL as in pictures and sounds. */
export function toStrictText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** In pieces: the arguments of a call are limited. */
function toBase64(bytes: Uint8Array): string {
  const piece = 0x8000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += piece) {
    binary += String.fromCharCode(...bytes.subarray(at, at + piece));
  }
  return btoa(binary);
}
