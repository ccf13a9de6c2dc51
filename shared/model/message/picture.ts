import { z } from 'zod';

/** Maximum of pictures in one message. */
export const MAX_PICTURES = 4;
/** Maximum size of a picture that is stored and sent; the smallest limit of the providers. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** The longer side, in pixels, to which the page scales a picture down: more is scaled down by the providers anyway. */
export const MAX_PICTURE_SIDE = 1568;

/** The types that every provider with models that see accepts. */
export const PictureType = z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
export type PictureType = z.infer<typeof PictureType>;

/** The SHA-256 (hex) of a picture's bytes. */
export const PictureId = z.string().regex(/^[0-9a-f]{64}$/);

/** A picture that is stored beside the session logs. */
export const Picture = z.object({ id: PictureId, type: PictureType, bytes: z.int().min(1) });
export type Picture = z.infer<typeof Picture>;

/** Returns the type of a picture by its first bytes; null for anything else, whatever its name says. */
export function toPictureType(bytes: Uint8Array): PictureType | null {
  const has = (at: number, text: string) => hasBytes(bytes, at, text);
  if (has(0, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (has(0, '\xff\xd8\xff')) return 'image/jpeg';
  if (has(0, 'RIFF') && has(8, 'WEBP')) return 'image/webp';
  if (has(0, 'GIF87a') || has(0, 'GIF89a')) return 'image/gif';
  return null;
}

/** Returns whether these bytes, one a character, are at `at`. */
export function hasBytes(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}
