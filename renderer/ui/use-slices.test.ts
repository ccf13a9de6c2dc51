import { expect, test } from 'vitest';
import { takeSlice } from './use-slices.ts';

const items = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
const idsOf = (shown: readonly { id: string }[]) => shown.map(({ id }) => id).join('');

test('a few more items come in with each slice, in their order', () => {
  const first = takeSlice(items, new Set(), 2);
  expect([idsOf(first.shown), first.isWhole]).toEqual(['ab', false]);
  const second = takeSlice(items, new Set(['b', 'e']), 2);
  expect([idsOf(second.shown), second.isWhole]).toEqual(['abce', false]);
});

test('all of them are the very list that was given', () => {
  const { shown, isWhole } = takeSlice(items, new Set(['a', 'b', 'c']), 2);
  expect([shown === items, isWhole]).toEqual([true, true]);
});
