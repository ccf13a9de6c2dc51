import { expect, it } from 'vitest';
import { NOTHING_USED } from '../../../shared/model/cost/usage.ts';
import { toSpentText, toTokensText } from './spent-text.ts';

const text = {
  t: ((key: string, values?: object) => [key, ...Object.values(values ?? {})].join(' ')) as never,
  locale: 'en',
};

it('names tokens that a service did not count, without a 0', () => {
  expect(toTokensText(0, { isPartial: true }, text)).toBe('chat:spending.uncounted');
  expect(toTokensText(0, { isPartial: false }, text)).toBe('0');
  expect(toTokensText(1200, { isPartial: true }, text)).toBe('chat:spending.atLeast 1.2k');
});

it('names a cost that is unknown, without a 0', () => {
  const money = [{ currency: 'CNY' as const, amount: 0.164 }];
  expect(toSpentText({ ...NOTHING_USED, isUnpriced: true }, text)).toBe('chat:spending.unknown');
  expect(toSpentText({ ...NOTHING_USED, money }, text)).toMatch(/0\.16/);
  expect(toSpentText({ ...NOTHING_USED, money, isPartial: true }, text)).toMatch(/^chat:spending\.atLeast .*0\.16/);
});
