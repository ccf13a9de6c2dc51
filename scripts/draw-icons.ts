import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

/** Draws the app's icon into assets/icons, in every size and format of the three systems. The results are committed. */
const FOLDER = join(import.meta.dirname, '..', 'assets', 'icons');

type Colour = readonly [red: number, green: number, blue: number];
/** Signed distance from a point to a shape's edge, negative inside; the picture is 32 units wide. */
type Shape = (x: number, y: number) => number;

const INDIGO: Colour = [0x51, 0x50, 0xcb];
const PAPER: Colour = [0xff, 0xfd, 0xf9];
const ROSE: Colour = [0xb2, 0x3b, 0x6b];
const SAMPLES = 4;

const box =
  (left: number, top: number, right: number, bottom: number, radius: number): Shape =>
  (x, y) => {
    const dx = Math.abs(x - (left + right) / 2) - (right - left) / 2 + radius;
    const dy = Math.abs(y - (top + bottom) / 2) - (bottom - top) / 2 + radius;
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  };

const stroke =
  (left: number, right: number, middle: number, width: number): Shape =>
  (x, y) =>
    Math.hypot(x - Math.min(Math.max(x, left), right), y - middle) - width / 2;

const circle =
  (centreX: number, centreY: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - centreX, y - centreY) - radius;

/** The bubble's tail: right of its left edge, above the slope. */
const tail: Shape = (x, y) => Math.max(11 - x, 20 - y, (x - 11) / Math.SQRT2 + (y - 25) / Math.SQRT2);

const LAYERS: readonly (readonly [Shape, Colour])[] = [
  [box(0, 0, 32, 32, 8), INDIGO],
  [(x, y) => Math.min(box(7, 7.5, 25, 20.5, 2)(x, y), tail(x, y)), PAPER],
  [stroke(11, 21, 12.5, 1.8), INDIGO],
  [stroke(11, 17, 16, 1.8), INDIGO],
  [circle(21, 16, 1.5), ROSE],
];

function drawPixels(size: number): Buffer {
  const pixels = Buffer.alloc(size * size * 4);
  const scale = 32 / size;
  for (let index = 0; index < size * size; index += 1) {
    const sum = [0, 0, 0, 0];
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
      const x = ((index % size) + ((sample % SAMPLES) + 0.5) / SAMPLES) * scale;
      const y = (Math.floor(index / size) + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) * scale;
      const hit = LAYERS.findLast(([shape]) => shape(x, y) <= 0);
      if (!hit) continue;
      hit[1].forEach((value, channel) => {
        sum[channel] = (sum[channel] ?? 0) + value;
      });
      sum[3] = (sum[3] ?? 0) + 1;
    }
    const covered = sum[3] ?? 0;
    if (covered === 0) continue;
    for (let channel = 0; channel < 3; channel += 1) pixels[index * 4 + channel] = (sum[channel] ?? 0) / covered;
    pixels[index * 4 + 3] = (covered / SAMPLES ** 2) * 255;
  }
  return pixels;
}

function toPng(size: number): Buffer {
  const pixels = drawPixels(size);
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let y = 0; y < size; y += 1) pixels.copy(rows, y * (size * 4 + 1) + 1, y * size * 4, (y + 1) * size * 4);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(rows, { level: 9 })),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** Encodes a Windows icon: a directory of PNG images. */
function toIco(pictures: ReadonlyMap<number, Buffer>, sizes: readonly number[]): Buffer {
  const head = Buffer.alloc(6 + sizes.length * 16);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sizes.length, 4);
  let offset = head.length;
  const bodies = sizes.map((size, index) => {
    const picture = pictures.get(size) ?? Buffer.alloc(0);
    const at = 6 + index * 16;
    head.set([size % 256, size % 256, 0, 0], at);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(picture.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += picture.length;
    return picture;
  });
  return Buffer.concat([head, ...bodies]);
}

/** Encodes a macOS icon, in which a four-letter type names the size of each PNG image. */
function toIcns(pictures: ReadonlyMap<number, Buffer>): Buffer {
  const kinds: readonly (readonly [string, number])[] = [
    ['ic11', 32],
    ['ic12', 64],
    ['ic07', 128],
    ['ic08', 256],
    ['ic13', 256],
    ['ic09', 512],
    ['ic14', 512],
    ['ic10', 1024],
  ];
  const entries = kinds.map(([kind, size]) => toSizedBlock(kind, pictures.get(size) ?? Buffer.alloc(0)));
  return toSizedBlock('icns', Buffer.concat(entries));
}

function toSizedBlock(kind: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(kind, 'latin1');
  head.writeUInt32BE(data.length + 8, 4);
  return Buffer.concat([head, data]);
}

const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const pictures = new Map(SIZES.map((size) => [size, toPng(size)]));
await mkdir(join(FOLDER, 'linux'), { recursive: true });
await writeFile(join(FOLDER, 'icon.ico'), toIco(pictures, [16, 24, 32, 48, 64, 128, 256]));
await writeFile(join(FOLDER, 'icon.icns'), toIcns(pictures));
for (const size of SIZES.filter((each) => each <= 512)) {
  await writeFile(join(FOLDER, 'linux', `${size}x${size}.png`), pictures.get(size) ?? '');
}
console.log(`Icons drawn: ${SIZES.join(', ')}.`);
