import { expect, it } from 'vitest';
import { formatTokens } from './token-count.ts';

it.each([
  [840, 'en', '840'],
  [12_440, 'en', '12.4k'],
  [999_960, 'en', '1M'],
  [1_240_000, 'en', '1.2M'],
  [9_999, 'zh-CN', '9999'],
  [12_440, 'zh-CN', '1.2 万'],
  [1_240_000, 'zh-CN', '124 万'],
  [12_440, 'ja', '1.2 万'],
])('formatTokens(%d, %s) is %s', (count, locale, text) => {
  expect(formatTokens(count, locale)).toBe(text);
});
