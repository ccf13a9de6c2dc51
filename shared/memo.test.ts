import { expect, test } from 'vitest';
import { createMemo, type MemoOwner, NO_MEMOS } from './memo.ts';

test('keeps one value per memo and owner', () => {
  const one: MemoOwner = { memos: NO_MEMOS };
  const other: MemoOwner = { memos: NO_MEMOS };
  const [name, size] = [createMemo<MemoOwner, string>(), createMemo<MemoOwner, number>()];
  size.set(one, 3);
  name.set(one, 'beach');
  size.set(other, 4);
  expect([name, size].map((memo) => memo.get(one))).toEqual(['beach', 3]);
  expect([name, size].map((memo) => memo.get(other))).toEqual([undefined, 4]);
  expect(NO_MEMOS).toEqual([]);
});
