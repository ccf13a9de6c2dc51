import { expect, it } from 'vitest';
import { type AssetType, inspectAsset } from '../../../shared/model/asset/asset.ts';
import { toSilence } from './silence.ts';

const silence = (type: AssetType): Buffer => Buffer.from(toSilence(type) ?? []);

it.each(['audio/wav', 'audio/mpeg', 'audio/ogg'] as const)('makes a small file of %s', (type) => {
  const bytes = silence(type);
  expect(inspectAsset(bytes)).toEqual({ type, bytes: bytes.length });
  expect(bytes.length).toBeLessThan(8_200);
});

it('makes none of another type', () => {
  expect([toSilence('audio/flac'), toSilence('image/png')]).toEqual([null, null]);
});

it('makes a WAV of a second, with the sizes of its parts', () => {
  const bytes = silence('audio/wav');
  expect([bytes.readUInt32LE(4) + 8, bytes.readUInt32LE(40) + 44]).toEqual([bytes.length, bytes.length]);
  expect([bytes.readUInt32LE(40) / bytes.readUInt32LE(28), new Set(bytes.subarray(44))]).toEqual([1, new Set([128])]);
});

it('makes an MP3 of whole frames', () => {
  const bytes = silence('audio/mpeg');
  const frames = bytes.length / 104;
  expect([Number.isInteger(frames), frames * 1152 >= 44_100]).toEqual([true, true]);
  for (let at = 0; at < bytes.length; at += 104) expect(bytes.readUInt32BE(at)).toBe(0xff_fb_10_c4);
});

it('makes an Ogg of pages with correct checksums', () => {
  const bytes = silence('audio/ogg');
  let pages = 0;
  for (let at = 0; at < bytes.length; pages += 1) {
    expect(bytes.subarray(at, at + 4).toString()).toBe('OggS');
    const count = bytes[at + 26] ?? 0;
    const sizes = bytes.subarray(at + 27, at + 27 + count);
    const end = at + 27 + count + sizes.reduce((sum, size) => sum + size, 0);
    const page = Buffer.from(bytes.subarray(at, end));
    page.writeUInt32LE(0, 22);
    expect(bytes.readUInt32LE(at + 22)).toBe(toOggChecksum(page));
    at = end;
  }
  expect(pages).toBe(3);
});

/** By table, as in RFC 3533; the maker divides bit by bit. */
function toOggChecksum(bytes: Buffer): number {
  const table = Array.from({ length: 256 }, (_, index) => {
    let value = BigInt(index) << 24n;
    for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000n ? (value << 1n) ^ 0x1_04c1_1db7n : value << 1n;
    return Number(value & 0xffff_ffffn);
  });
  return bytes.reduce((sum, byte) => (((sum << 8) >>> 0) ^ (table[((sum >>> 24) ^ byte) & 255] ?? 0)) >>> 0, 0);
}
