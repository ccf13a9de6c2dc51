import { crc32, deflateSync } from 'node:zlib';

interface PngOptions {
  /** What its head says of its sides. */
  claimed?: { width: number; height: number };
  /** Red, green, blue. */
  color?: readonly [number, number, number];
}

/** Makes a picture of one colour. */
export function toPng(
  width: number,
  height: number,
  { claimed = { width, height }, color = [0, 0, 0] }: PngOptions = {},
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(claimed.width, 0);
  head.writeUInt32BE(claimed.height, 4);
  head.set([8, 2], 8);
  const row = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: width }, () => Buffer.from(color))]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const chunks = [toChunk('IHDR', head), toChunk('IDAT', deflateSync(rows)), toChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

function toChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
