import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toKeptLines } from './kept-lines.ts';

const kept = (before: string, after: string): number[] => [...toKeptLines([...before], [...after])];

it.each([
  ['the same', 'abc', 'abc', [0, 1, 2]],
  ['a line inserted', 'abc', 'axbc', [0, 2, 3]],
  ['a line removed', 'abc', 'ac', [0, -1, 1]],
  ['a line changed', 'abc', 'axc', [0, -1, 2]],
  ['two places changed', 'abcdef', 'aXcdYf', [0, -1, 2, 3, -1, 5]],
  ['repeated lines beside a single one', 'a--b--c', 'x--b--y', [-1, 1, 2, 3, 4, 5, -1]],
  ['lines in another order: as many as keep theirs', 'axyz', 'ayzx', [0, -1, 1, 2]],
  ['nothing left', 'abc', 'xyz', [-1, -1, -1]],
  ['empty texts', '', 'a', []],
] as [string, string, string, number[]][])('follows lines: %s', (_, before, after, expected) => {
  expect(kept(before, after)).toEqual(expected);
});

it('follows equal lines only, each to one place, in order', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'x1', 'x2', 'x3'), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const found = [...toKeptLines(before, after)];
      const pairs = found.flatMap((to, at) => (to < 0 ? [] : [[before[at], after[to]]]));
      for (const [one, other] of pairs) expect(other).toBe(one);
      const places = found.filter((at) => at >= 0);
      expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
    }),
  );
});
