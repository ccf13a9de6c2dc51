import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, findNearNames } from './near-names.ts';

/** The whole table, as textbooks have it: insertion, removal, replacement, and a swap of two neighbours. */
function toDistance(left: string, right: string): number {
  const rows = Array.from({ length: left.length + 1 }, (_, row) => [row]);
  for (let column = 1; column <= right.length; column += 1) (rows[0] as number[])[column] = column;
  const at = (row: number, column: number) => rows[row]?.[column] as number;
  for (let row = 1; row <= left.length; row += 1) {
    for (let column = 1; column <= right.length; column += 1) {
      const isEqual = left[row - 1] === right[column - 1];
      const options = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (isEqual ? 0 : 1)];
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) options.push(at(row - 2, column - 2) + 1);
      (rows[row] as number[])[column] = Math.min(...options);
    }
  }
  return at(left.length, right.length);
}

describe('editDistance', () => {
  // Few letters, so that most pairs are near.
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

  it.each([0, 1, 2, 3, 8])('is that of the whole table, or beyond the limit %i', (limit) => {
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(editDistance(left, right, limit)).toBe(Math.min(toDistance(left, right), limit + 1));
      }),
      { numRuns: 3000 },
    );
  });

  it('compares no endless names', () => {
    expect(editDistance('a'.repeat(100), `${'a'.repeat(99)}b`, 2)).toBe(3);
    expect(editDistance('a'.repeat(100), 'a'.repeat(100), 2)).toBe(0);
  });
});

it('finds near names, best first', () => {
  const names = ['sea.png', 'sky.png', 'set.png', 'SEE.png', 'tree.png', 'seaside.png'];
  expect(findNearNames('see.png', names)).toEqual(['SEE.png', 'sea.png', 'set.png']);
});
