import { expect, test } from 'vitest';
import { guessLocale } from './setup.ts';

test.each([
  [['ja-JP', 'en-US'], 'ja'],
  [['fr-FR', 'zh-TW', 'ja'], 'zh-CN'],
  [['fr-FR'], 'en'],
  [[], 'en'],
])('starts in the first language of the browser that the app has: %j', (languages, locale) => {
  expect(guessLocale(languages)).toBe(locale);
});
