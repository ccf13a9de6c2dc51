import type { AssetType } from '../../../shared/model/asset/asset.ts';

type SoundType = Extract<AssetType, 'audio/wav' | 'audio/mpeg' | 'audio/ogg'>;

const MAKERS: Readonly<Record<SoundType, () => Uint8Array>> = {
  'audio/wav': toWave,
  'audio/mpeg': toMpeg,
  'audio/ogg': toOgg,
};

/** Returns a file of one second of silence, of at most 8 kB; null for another type than WAV, MP3 and OGG. */
export function toSilence(type: AssetType): Uint8Array | null {
  return type in MAKERS ? MAKERS[type as SoundType]() : null;
}

/** PCM, 8 bits, one channel, 8,000 samples a second: 128 is the middle. */
function toWave(): Uint8Array {
  const rate = 8000;
  const bytes = new Uint8Array(44 + rate).fill(128, 44);
  const view = new DataView(bytes.buffer);
  writeText(bytes, 0, 'RIFF');
  view.setUint32(4, 36 + rate, true);
  writeText(bytes, 8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  writeText(bytes, 36, 'data');
  view.setUint32(40, rate, true);
  return bytes;
}

/**
 * MPEG-1 layer 3 (ISO/IEC 11172-3), 32 kbit/s, 44,100 Hz, one channel. A frame of 1,152 samples has 144 × 32,000 / 44,100 bytes; side
 * information of zeros says that it has no coefficients.
 */
function toMpeg(): Uint8Array {
  const frame = Math.floor((144 * 32_000) / 44_100);
  const frames = Math.ceil(44_100 / 1152);
  const bytes = new Uint8Array(frame * frames);
  for (let at = 0; at < bytes.length; at += frame) bytes.set([0xff, 0xfb, 0x10, 0xc4], at);
  return bytes;
}

/** Opus in Ogg (RFC 7845), one channel: a page for each of the two headers, and one with all packets. */
function toOgg(): Uint8Array {
  // CELT, full band, 20 ms (RFC 6716, section 3.1), then a frame whose first symbol is the flag for silence.
  const packet = new Uint8Array([0xf8, 0xff, 0xfe]);
  const packets = Array.from({ length: 50 }, () => packet);
  const head = new Uint8Array(19);
  writeText(head, 0, 'OpusHead');
  head.set([1, 1], 8);
  new DataView(head.buffer).setUint32(12, 48_000, true);
  const tags = new Uint8Array(16);
  writeText(tags, 0, 'OpusTags');
  const pages = [
    toPage([head], { index: 0, flags: 2, samples: 0 }),
    toPage([tags], { index: 1, flags: 0, samples: 0 }),
    toPage(packets, { index: 2, flags: 4, samples: 48_000 }),
  ];
  return joinBytes(pages);
}

/** A page of Ogg (RFC 3533). Packets are shorter than 255 bytes. */
function toPage(
  packets: readonly Uint8Array[],
  { index, flags, samples }: { index: number; flags: number; samples: number },
): Uint8Array {
  const head = new Uint8Array(27 + packets.length);
  const view = new DataView(head.buffer);
  writeText(head, 0, 'OggS');
  head[5] = flags;
  view.setBigUint64(6, BigInt(samples), true);
  view.setUint32(14, 1, true);
  view.setUint32(18, index, true);
  head[26] = packets.length;
  for (const [at, { length }] of packets.entries()) head[27 + at] = length;
  const page = joinBytes([head, ...packets]);
  new DataView(page.buffer).setUint32(22, toChecksum(page), true);
  return page;
}

/** The CRC-32 of Ogg: polynomial 0x04c11db7, neither reflected nor inverted. */
function toChecksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}

function writeText(bytes: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index += 1) bytes[at + index] = text.charCodeAt(index);
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
