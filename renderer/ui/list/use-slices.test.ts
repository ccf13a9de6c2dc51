import { expect, test } from 'vitest';
import { takeSlice } from './use-slices.ts';

const items = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
const idsOf = (shown: readonly { id: string }[]) => shown.map(({ id }) => id).join('');

test('adds items with each slice in order', () => {
  const first = takeSlice(items, new Set(), 2);
  expect([idsOf(first.shown), first.isWhole]).toEqual(['ab', false]);
  const second = takeSlice(items, new Set(['b', 'e']), 2);
  expect([idsOf(second.shown), second.isWhole]).toEqual(['abce', false]);
});

test('returns the given array once it is complete', () => {
  const { shown, isWhole } = takeSlice(items, new Set(['a', 'b', 'c']), 2);
  expect([shown === items, isWhole]).toEqual([true, true]);
});
