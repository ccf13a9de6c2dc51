import { expect, it } from 'vitest';
import en from '../../../shared/i18n/en/page/common.json' with { type: 'json' };
import zh from '../../../shared/i18n/zh-CN/page/common.json' with { type: 'json' };
import { i18n } from '../../i18n/setup.ts';
import { timeAgo } from './time-ago.ts';

await i18n.init({ lng: 'en', resources: { en: { common: en }, 'zh-CN': { common: zh } } });

const now = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;

it.each([
  [0, 'just now', '刚刚'],
  [59_999, 'just now', '刚刚'],
  [2 * minute, '2 minutes ago', '2 分钟前'],
  [90 * minute, '1 hour ago', '1 小时前'],
  [25 * 60 * minute, 'yesterday', '昨天'],
  [15 * 24 * 60 * minute, '2 weeks ago', '2 周前'],
  [-5 * minute, 'just now', '刚刚'],
])('%d ms ago reads “%s”', (passed, en, zh) => {
  expect([timeAgo(now - passed, 'en', now), timeAgo(now - passed, 'zh-CN', now)]).toEqual([en, zh]);
});
