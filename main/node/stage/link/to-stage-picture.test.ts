import { expect, it } from 'vitest';
import { toStagePicture } from './to-stage-picture.ts';

/** A JPEG of this size without data: start, a comment, the frame header, the start of the data, the end. */
const toJpeg = ({ width = 640, height = 360, end = [0xff, 0xd9] } = {}): string => {
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  const comment = [0xff, 0xfe, 0, 4, 1, 2];
  const frame = [0xff, 0xc0, 0, 11, 8, ...size, 1, 1, 17, 0];
  return Buffer.from([0xff, 0xd8, ...comment, ...frame, 0xff, 0xda, 0, 2, 0, ...end]).toString('base64');
};

it('returns a JPEG of at most 1,024 pixels a side', () => {
  for (const size of [{}, { width: 1024, height: 1024 }, { width: 1, height: 1 }]) {
    expect(toStagePicture(toJpeg(size))).toBe(toJpeg(size));
  }
});

it.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['an address', 'http://evil.example/a.jpg'],
  ['a data URL', `data:image/jpeg;base64,${toJpeg()}`],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
  ['a web page behind the mark of a JPEG', Buffer.from('\xff\xd8\xff\xe0<html>', 'latin1').toString('base64')],
  ['a picture that is too wide', toJpeg({ width: 1025 })],
  ['a picture that claims 65,535 lines', toJpeg({ height: 65_535 })],
  ['a picture without lines', toJpeg({ height: 0 })],
  ['a JPEG with something behind it', toJpeg({ end: [0xff, 0xd9, 80, 75] })],
  [
    'a segment of no length, which would be read for ever',
    Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0]).toString('base64'),
  ],
])('refuses %s', (_name, sent) => {
  expect(toStagePicture(sent)).toBeNull();
});
