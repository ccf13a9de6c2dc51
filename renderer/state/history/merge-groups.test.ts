import { expect, it } from 'vitest';
import type { HistoryGroup } from '../../../shared/model/snapshot.ts';
import { mergeGroups } from './merge-groups.ts';

const group = (id: string, at = 1): HistoryGroup => ({
  id,
  title: id,
  at,
  origin: 'writer',
  isUndone: false,
  files: [],
});
const known = [group('c'), group('b'), group('a')];

it('puts new groups first and updates changed ones; unchanged groups stay the same objects', () => {
  const merged = mergeGroups(known, [group('b', 2), group('d'), group('c')], 4);
  expect(merged?.map(({ id, at }) => [id, at])).toEqual([
    ['b', 2],
    ['d', 1],
    ['c', 1],
    ['a', 1],
  ]);
  expect([merged?.[2], merged?.[3]]).toEqual([known[0], known[2]]);
  expect(merged?.[2]).toBe(known[0]);
});

it('returns null when groups were missed or removed', () => {
  expect(mergeGroups(known, [group('x'), group('c')], 7)).toBeNull();
  expect(mergeGroups(known, [group('d'), group('c')], 3)).toBeNull();
  expect(mergeGroups([], [group('a')], 1)).toEqual([group('a')]);
});
