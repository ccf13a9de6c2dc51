import { expect, test } from 'vitest';
import { findLocale, LOCALES, LocalText, RECORDED_LOCALES, toLocale, toLocalText } from './local-text.ts';

test.each([
  ['zh-Hans-CN', 'zh-CN'],
  ['zh_TW.UTF-8', 'zh-CN'],
  ['en-GB', 'en'],
  ['ja', 'ja'],
  ['ja_JP.UTF-8', 'ja'],
  ['fr-FR', null],
  ['', null],
])('finds the language of the tag %s', (tag, locale) => {
  expect(findLocale(tag)).toBe(locale);
  expect(toLocale(tag)).toBe(locale ?? 'en');
});

test('shows English where a text is not translated', () => {
  const text = { 'zh-CN': '读取', en: 'Read' };
  expect([toLocalText(text, 'zh-CN'), toLocalText(text, 'ja'), toLocalText({ ...text, ja: '読む' }, 'ja')]).toEqual([
    '读取',
    'Read',
    '読む',
  ]);
});

test('keeps a text in every language, and requires those of every record only', () => {
  const text = Object.fromEntries(LOCALES.map((locale) => [locale, `read ${locale}`]));
  expect(LocalText.parse(text)).toEqual(text);
  for (const locale of LOCALES) {
    const { [locale]: _lacking, ...others } = text;
    const isRecorded = RECORDED_LOCALES.some((recorded) => recorded === locale);
    expect(LocalText.safeParse(others).success, locale).toBe(!isRecorded);
  }
});
