import { expect, it } from 'vitest';
import { toBatches } from './to-batches.ts';

const files = (...sizes: number[]) => sizes.map((bytes, index) => ({ path: String(index), bytes }));

it('limits the bytes of a batch and keeps every file in order', () => {
  expect(toBatches(files(300_000, 200_000, 1, 900_000, 0, 500_000))).toEqual([['0', '1'], ['2'], ['3'], ['4', '5']]);
  expect(toBatches([])).toEqual([]);
});

it('limits the files of a batch', () => {
  const batches = toBatches(files(...Array.from({ length: 1200 }, () => 10)));
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 200]);
});
