import { expect, it } from 'vitest';
import { timeAgo } from './time-ago.ts';

const now = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;

it.each([
  [0, 'now', '现在'],
  [59_999, 'now', '现在'],
  [2 * minute, '2 minutes ago', '2 分钟前'],
  [90 * minute, '1 hour ago', '1 小时前'],
  [25 * 60 * minute, 'yesterday', '昨天'],
  [15 * 24 * 60 * minute, '2 weeks ago', '2 周前'],
  [-5 * minute, 'now', '现在'],
])('%d ms ago reads “%s”', (passed, en, zh) => {
  expect([timeAgo(now - passed, 'en', now), timeAgo(now - passed, 'zh-CN', now)]).toEqual([en, zh]);
});
