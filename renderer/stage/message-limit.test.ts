import { expect, it } from 'vitest';
import { createMessageLimit } from './message-limit.ts';

it('allows the messages of pages that load, however long the stage is open', () => {
  const limit = createMessageLimit();
  const times = Array.from({ length: 400 }, (_, index) => index * 1_100);
  const floods = times.filter((time) => {
    const isFlood = limit.isFlood(time);
    limit.onLoad();
    return isFlood;
  });
  expect(floods).toEqual([]);
});

it('detects pages that load without end, and allows one again after a pause', () => {
  const limit = createMessageLimit();
  const floods = Array.from({ length: 100 }, (_, index) => {
    const isFlood = limit.isFlood(index);
    limit.onLoad();
    return isFlood;
  });
  expect(floods.indexOf(true)).toBe(12);
  // Counted anew after each: the game was stopped, and can be started again at once.
  expect(floods.flatMap((isFlood, index) => (isFlood ? [index] : []))).toEqual([12, 25, 38, 51, 64, 77, 90]);
  expect(limit.isFlood(20_000)).toBe(false);
});

it('detects a few messages of one page, however slowly they come, because each can be huge', () => {
  const limit = createMessageLimit();
  limit.onLoad();
  const floods = Array.from({ length: 5 }, (_, index) => limit.isFlood(index * 60_000));
  expect(floods.indexOf(true)).toBe(4);
  expect(limit.isFlood(5 * 60_000)).toBe(false);
});
