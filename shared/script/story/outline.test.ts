import { expect, test } from 'vitest';
import { toReadingTime } from './outline.ts';

test.each([
  [0, 'minutes', 0],
  [1, 'minutes', 1],
  [36_000, 'minutes', 120],
  [36_001, 'hours', 2],
  [420_747, 'hours', 23],
] as const)('%d words take %s: %d', (words, unit, count) => {
  expect(toReadingTime(words)).toEqual({ unit, count });
});
