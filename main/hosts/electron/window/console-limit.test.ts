import { expect, it } from 'vitest';
import { createConsoleLimit } from './console-limit.ts';

it('allows what an engine writes, for hours', () => {
  const isFlood = createConsoleLimit();
  expect(Array.from({ length: 100_000 }, (_, index) => isFlood(index, 500)).some(Boolean)).toBe(false);
});

it('detects lines without end, and allows them again later', () => {
  const isFlood = createConsoleLimit();
  const floods = Array.from({ length: 6_000 }, () => isFlood(0, 1));
  expect(floods.indexOf(true)).toBe(5_000);
  expect(isFlood(1_001, 1)).toBe(false);
});

it('detects one huge line', () => {
  const isFlood = createConsoleLimit();
  expect([isFlood(0, 8 * 1024 * 1024), isFlood(1, 1), isFlood(2_000, 9 * 1024 * 1024)]).toEqual([false, true, true]);
});
