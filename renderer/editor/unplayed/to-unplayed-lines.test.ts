import { expect, it } from 'vitest';
import { toUnplayedLines } from './to-unplayed-lines.ts';

const played = { lines: ['A:one;', 'A:two;', '', 'A:three;', 'end;'], never: [{ first: 2, last: 4 }] };

it('marks what was not played, without blank lines', () => {
  expect(toUnplayedLines(played, played.lines)).toEqual([2, 4]);
});

it('follows lines that move, and leaves out lines that changed or are gone', () => {
  expect(toUnplayedLines(played, ['new;', ...played.lines])).toEqual([3, 5]);
  expect(toUnplayedLines(played, ['A:one;', 'A:two!;', '', 'A:three;', 'end;'])).toEqual([4]);
  expect(toUnplayedLines(played, ['A:one;', 'end;'])).toEqual([]);
});
