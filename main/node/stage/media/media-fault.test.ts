import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toPng } from '../../../../tests/support/games/png-file.ts';
import { findMediaFault, type MediaFault } from './media-fault.ts';

const PNG = toPng(400, 300);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Asks for the bytes in memory and in a file, which must agree. */
async function find(path: string, content: Buffer): Promise<MediaFault | null> {
  const place = join(folder, 'file');
  await writeFile(place, content);
  const handle = await open(place);
  const onDisk = await findMediaFault(path, { handle, bytes: content.length });
  await handle.close();
  expect(await findMediaFault(path, content)).toBe(onDisk);
  return onDisk;
}

describe('a damaged picture, sound or film', () => {
  it.each([
    ['an empty picture', 'a.png', Buffer.alloc(0)],
    ['an empty drawing', 'a.svg', Buffer.alloc(0)],
    ['an empty sound', 'a.MP3', Buffer.alloc(0)],
    ['a page in place of a picture', 'a.webp', bytes('<!doctype html><title>404</title>')],
    ['a drawing with the name of a picture', 'a.png', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a text in place of a sound', 'a.ogg', Buffer.from('版本 https://git-lfs.example/spec\nsize 12\n')],
    ['a long text, cut within a character', 'a.jpg', Buffer.from(`x${'雨'.repeat(40_000)}`)],
    ['a PNG cut within its pixels', 'a.png', PNG.subarray(0, PNG.length >> 1)],
    ['a PNG cut before its pixels', 'a.png', PNG.subarray(0, 33)],
    ['a PNG of its first bytes', 'a.jpg', PNG.subarray(0, 8)],
  ])('is %s', async (_, path, content) => {
    expect(await find(path, content)).toBe(content.length === 0 ? 'empty' : 'damaged');
  });
});

describe('no damage', () => {
  it.each([
    ['a whole picture', 'a.png', PNG],
    ['a picture with another extension', 'a.webp', PNG],
    ['bytes after the end', 'a.png', Buffer.concat([PNG, bytes('made with love, and some more words')])],
    ['pixels without the end of the file', 'a.png', PNG.subarray(0, PNG.length - 13)],
    ['a drawing', 'a.svg', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a GIF, which begins as text', 'a.gif', bytes('GIF89a1111')],
    ['a sound', 'a.wav', bytes('RIFF$\0\0\0WAVEfmt \x10\0\0\0')],
    ['a sound without a known beginning', 'a.mp3', Buffer.alloc(4000)],
    ['a text with bytes of something else far behind', 'a.mp3', bytes(`${'TAG '.repeat(500)}\xff\xfb\x90`)],
    ['another encoding of text', 'a.png', bytes('\xb0\xa1\xb0\xa1')],
  ])('is told of %s', async (_, path, content) => {
    expect(await find(path, content)).toBe(null);
  });
});
