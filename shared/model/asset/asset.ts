import { z } from 'zod';
import { hasBytes, PictureId, PictureType, toPictureType } from '../message/picture.ts';

/** Most bytes of a picture or a sound that the app keeps and writes. */
export const MAX_ASSET_BYTES = 24 * 1024 * 1024;
/** Longest side, and most pixels, of a picture: a small file can unpack to gigabytes in the page that draws it. */
const MAX_SIDE = 16_384;
const MAX_PIXELS = 64_000_000;

/** What pictures and sounds can be, by their bytes, with the extensions that say so. No SVG: it is a program for a page. */
const EXTENSIONS = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'audio/mpeg': ['mp3'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/wav': ['wav'],
  'audio/flac': ['flac'],
} as const;

export const AssetType = z.enum(Object.keys(EXTENSIONS) as [keyof typeof EXTENSIONS, ...(keyof typeof EXTENSIONS)[]]);
export type AssetType = z.infer<typeof AssetType>;

/** The SHA-256 (hex) of the bytes of a picture or a sound. */
export const AssetId = PictureId;

/** A picture or a sound that is kept; sides in pixels. */
export const Asset = z.object({
  id: AssetId,
  type: AssetType,
  bytes: z.int().min(1),
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
});
export type Asset = z.infer<typeof Asset>;

/** Why bytes are not kept. `type`: neither a picture nor a sound that the app knows; `pixels`: too many of them. */
export type AssetFault = 'type' | 'pixels' | 'bytes';

const ASSET_NAME = new RegExp(`\\.(${Object.values(EXTENSIONS).flat().join('|')})$`, 'i');

/** True for a file that is a picture or a sound by its extension. What is written to it are always bytes of one. */
export function isAssetName(path: string): boolean {
  return ASSET_NAME.test(path);
}

/** True for a picture by its extension, false for a sound. */
export function isPictureName(path: string): boolean {
  return PictureType.options.some((type) => fitsAssetName(path, type));
}

/** True if the extension of a path says what the bytes are. */
export function fitsAssetName(path: string, type: AssetType): boolean {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return (EXTENSIONS[type] as readonly string[]).includes(extension);
}

/** Returns the usual extension of a type, without the dot. */
export function toAssetExtension(type: AssetType): string {
  return EXTENSIONS[type][0];
}

/** True for a picture, false for a sound. */
export function isPictureType(type: AssetType): type is PictureType {
  return PictureType.safeParse(type).success;
}

/** What the bytes are, whatever their name or sender says. */
export function inspectAsset(bytes: Uint8Array): Omit<Asset, 'id'> | AssetFault {
  if (bytes.length > MAX_ASSET_BYTES) return 'bytes';
  const type = toAssetType(bytes);
  if (type === null) return 'type';
  if (!isPictureType(type)) return { type, bytes: bytes.length };
  const size = toSize(bytes, type);
  if (size === null) return 'type';
  const { width, height } = size;
  if (width < 1 || height < 1) return 'type';
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) return 'pixels';
  return { type, bytes: bytes.length, width, height };
}

function toAssetType(bytes: Uint8Array): AssetType | null {
  const picture = toPictureType(bytes);
  if (picture !== null) return picture;
  const has = (at: number, text: string) => hasBytes(bytes, at, text);
  if (has(0, 'RIFF') && has(8, 'WAVEfmt ')) return 'audio/wav';
  if (has(0, 'OggS\0')) return 'audio/ogg';
  if (has(0, 'fLaC\0')) return 'audio/flac';
  if (has(0, 'ID3') || isMpegFrame(bytes)) return 'audio/mpeg';
  return null;
}

/** A frame of MPEG layer 3 with a permitted bit rate and sample rate. */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isLayer3 = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  return isLayer3 && third >> 4 !== 15 && third >> 4 !== 0 && (third & 0x0c) !== 0x0c;
}

interface Size {
  width: number;
  height: number;
}

/** Reads the sides from the head of a picture; null if it has none where its type has them. */
function toSize(bytes: Uint8Array, type: PictureType): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isAt = (at: number, text: string) => hasBytes(bytes, at, text);
  if (bytes.length < 30) return null;
  if (type === 'image/png') return isAt(12, 'IHDR') ? { width: view.getUint32(16), height: view.getUint32(20) } : null;
  if (type === 'image/gif') return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (type === 'image/jpeg') return toJpegSize(view);
  if (isAt(12, 'VP8X')) return { width: toUint24(view, 24) + 1, height: toUint24(view, 27) + 1 };
  if (isAt(12, 'VP8L') && bytes[20] === 0x2f) {
    const packed = view.getUint32(21, true);
    return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
  }
  if (!isAt(12, 'VP8 ')) return null;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function toUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Finds the frame header among the segments. */
function toJpegSize(view: DataView): Size | null {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

const ASSET_TEXT = /^asset sha256:([0-9a-f]{64}) (\S+) (\d+) bytes(?: (\d+)x(\d+))?\n$/;

/** What is known of the bytes of a file whose name says picture or sound. `type`: null for bytes that are neither. */
export type DescribedAsset = Pick<Asset, 'id' | 'bytes' | 'width' | 'height'> & { type: AssetType | null };

/**
 * Returns the line that stands for a picture or a sound wherever texts are compared, kept and logged: drafts, snapshots, journals.
 * It depends on the bytes alone. Their content is in the store of assets, under the hash.
 */
export function toAssetText({ id, type, bytes, width, height }: DescribedAsset): string {
  const size = width === undefined || height === undefined ? '' : ` ${width}x${height}`;
  return `asset sha256:${id} ${type ?? 'unknown'} ${bytes} bytes${size}\n`;
}

/** Reads a line of `toAssetText`; null for any other text. */
export function parseAssetText(text: string): DescribedAsset | null {
  const [, id, type, bytes, width, height] = ASSET_TEXT.exec(text) ?? [];
  if (id === undefined) return null;
  const known = AssetType.safeParse(type);
  return {
    ...{ id, type: known.success ? known.data : null, bytes: Number(bytes) },
    ...(width !== undefined && height !== undefined && { width: Number(width), height: Number(height) }),
  };
}
