import { expect, test } from 'vitest';
import { toHeads, toPath } from './way-shape.ts';

const points = [
  { x: 0, y: 0 },
  { x: 20, y: 40 },
  { x: 40, y: 40 },
];

test('lines leave and arrive level; heads stand where the story goes', () => {
  expect(toPath(points)).toBe('M0,0 C10,0 10,40 20,40 L40,40');
  expect(toHeads(points, false)).toBe('M40,40 L32,36 L32,44 Z');
  expect(toHeads(points, true)).toBe('M40,40 L32,36 L32,44 Z M0,0 L8,-4 L8,4 Z');
  expect(toHeads(points.toReversed(), false)).toBe('M0,0 L8,-4 L8,4 Z');
  expect([toPath([]), toPath([{ x: 1, y: 1 }]), toHeads([], true), toHeads([{ x: 1, y: 1 }], false)]).toEqual([
    '',
    '',
    '',
    '',
  ]);
});
