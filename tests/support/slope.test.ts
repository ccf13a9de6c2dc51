import { expect, it } from 'vitest';
import { toSlope } from './slope.ts';

const read = (...values: number[]) => values.map((value, at) => ({ at, value }));

it.each([
  ['a line', read(1, 3, 5, 7), 2],
  ['what stays level', read(4, 4, 4), 0],
  ['what falls', read(9, 8, 7), -1],
  ['a saw, whose teeth do not count', read(0, 1, 0, 1, 0, 1, 0), 0],
  ['one reading', read(5), 0],
  ['no reading', [], 0],
])('finds the growth of %s', (_name, readings, slope) => {
  expect(toSlope(readings)).toBeCloseTo(slope, 6);
});

it('requires two different times, not two readings', () => {
  expect(
    toSlope([
      { at: 2, value: 10 },
      { at: 2.5, value: 11 },
      { at: 6, value: 18 },
    ]),
  ).toBeCloseTo(2, 6);
});
