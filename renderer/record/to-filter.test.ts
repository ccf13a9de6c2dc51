import { expect, test } from 'vitest';
import { toDay, toMoment, withFilter } from './to-filter.ts';

test('what is empty is not asked for', () => {
  expect(withFilter({ tool: 'grep', text: 'a' }, { text: '', outcome: 'done' })).toEqual({
    tool: 'grep',
    outcome: 'done',
  });
  expect(withFilter({ tool: 'grep' }, { tool: undefined })).toEqual({});
});

test('a day is hers, from its first to its last moment', () => {
  const from = toMoment('2026-03-01', 'first') ?? '';
  const to = toMoment('2026-03-01', 'last') ?? '';
  expect(new Date(to).getTime() - new Date(from).getTime()).toBe(24 * 3600 * 1000 - 1);
  expect([toDay(from), toDay(to), toDay(undefined)]).toEqual(['2026-03-01', '2026-03-01', '']);
});

test.each(['', '2026', '2026-99', 'x-y-z', '999999-99-99'])('%j is no day', (day) => {
  expect(toMoment(day, 'first') ?? null).toBeNull();
});
