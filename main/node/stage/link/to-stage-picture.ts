import { MAX_PICTURE_SIDE_PX } from '../scripts/stage-picture-script.ts';

/**
 * Returns a picture that a page sent, in the usual spelling of base64; null unless its bytes are those of one JPEG, from its first
 * mark to its last, of at most 1,024 pixels a side. A provider decodes it, and the size in its header decides what that costs.
 */
export function toStagePicture(sent: string | undefined): string | null {
  if (sent === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(sent)) return null;
  const bytes = Buffer.from(sent, 'base64');
  const size = readJpegSize(bytes);
  const fits = size !== null && [size.width, size.height].every((side) => side >= 1 && side <= MAX_PICTURE_SIDE_PX);
  return fits && bytes.readUInt16BE(bytes.length - 2) === 0xffd9 ? bytes.toString('base64') : null;
}

/** Returns the size in pixels that the frame header of a JPEG states (ITU T.81, B.2.2); null without one before the picture's data. */
function readJpegSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) return null;
    const mark = bytes[at + 1] ?? 0;
    // C0 to CF are frame headers but for tables (C4, CC) and an extension (C8); DA begins the data.
    const isFrame = mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (mark === 0xda || bytes.readUInt16BE(at + 2) < 2) return null;
  }
  return null;
}
