import { expect, it } from 'vitest';
import { isSettledAt } from './stat-cache.ts';

const NOW = 1_700_000_000_000;

it.each([
  ['changed long ago', -60_000, -60_000, true],
  ['written a moment ago', -500, -500, false],
  ['written a moment ago with an old date', -60_000, -500, false],
  ['dated in the future', 60_000, -60_000, false],
])('decides whether a file that was %s is read again', (_what, mtime, ctime, isSettled) => {
  expect(isSettledAt({ size: 1, inode: 1, mtime: NOW + mtime, ctime: NOW + ctime }, NOW)).toBe(isSettled);
});
