import { expect, test } from 'vitest';
import { toDay, toMoment } from './to-filter.ts';

test('converts a day to its first and last moment in local time', () => {
  const from = toMoment('2026-03-01', 'first') ?? '';
  const to = toMoment('2026-03-01', 'last') ?? '';
  expect(new Date(to).getTime() - new Date(from).getTime()).toBe(24 * 3600 * 1000 - 1);
  expect([toDay(from), toDay(to), toDay(undefined)]).toEqual(['2026-03-01', '2026-03-01', '']);
});

test.each(['', '2026', '2026-99', 'x-y-z', '999999-99-99'])('returns undefined for %j', (day) => {
  expect(toMoment(day, 'first') ?? null).toBeNull();
});
