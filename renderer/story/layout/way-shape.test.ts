import { expect, test } from 'vitest';
import { toHeads, toPath } from './way-shape.ts';

const points = [
  { x: 0, y: 0 },
  { x: 20, y: 40 },
  { x: 40, y: 40 },
];

test('draws horizontal ends and arrow heads in story direction', () => {
  expect(toPath(points)).toBe('M0,0 C10,0 10,40 20,40 L40,40');
  // A steep step is vertical, near its source node or near its target node.
  expect(
    toPath([
      { x: 0, y: 0 },
      { x: 60, y: 300 },
    ]),
  ).toBe('M0,0 L8,0 Q20,0 20,12 L20,288 Q20,300 32,300 L60,300');
  expect(
    toPath([
      { x: 90, y: 0 },
      { x: 60, y: 0 },
      { x: 0, y: -300 },
    ]),
  ).toBe('M90,0 L60,0 L32,0 Q20,0 20,-12 L20,-288 Q20,-300 8,-300 L0,-300');
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
