import { expect, it } from 'vitest';
import { createMessageLimit } from './message-limit.ts';

it('allows the messages of pages that load, however long the stage is open', () => {
  const isFlood = createMessageLimit();
  const times = Array.from({ length: 400 }, (_, index) => index * 250);
  expect(times.some(isFlood)).toBe(false);
});

it('detects messages without end, and again after a pause', () => {
  const isFlood = createMessageLimit();
  const flood = Array.from({ length: 100 }, (_, index) => isFlood(index));
  expect(flood.indexOf(true)).toBe(50);
  expect(flood.at(-1)).toBe(true);
  expect(isFlood(20_000)).toBe(false);
});
