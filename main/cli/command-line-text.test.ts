import { expect, it } from 'vitest';
import { LOCALES } from '../../shared/model/local-text.ts';
import { createCommandLineText } from './command-line-text.ts';

it.each([
  ['zh-Hans-CN', '用法'],
  ['zh-TW', '用法'],
  ['en-US', 'Usage'],
  ['fr', 'Usage'],
  ['', 'Usage'],
])('uses the language of the system: %s', (locale, word) => {
  expect(createCommandLineText(locale).help).toContain(word);
});

it('offers the same options in every language', () => {
  const toOptions = (locale: string): string[] =>
    createCommandLineText(locale).help.match(/(?<![\w-])--?[a-z-]+/g) ?? [];
  expect(toOptions('zh')).toEqual(toOptions('en'));
});

it.each(LOCALES)('lists every language that a check accepts: %s', (locale) => {
  const line = createCommandLineText(locale)
    .help.split('\n')
    .find((each) => each.includes('--lang'));
  expect(line).toContain(LOCALES.join(', '));
});

it.each(['zh', 'en'])('refers to the help in one line: %s', (locale) => {
  expect(createCommandLineText(locale).seeHelp).toMatch(/^.{1,40}webgal-agent --help$/);
});

it.each([
  'project.gone',
  'project.noGame',
  'project.gameRenamed',
  'project.tooBroad',
  'browser.none',
  'playtest.noStart',
  'playtest.memory',
  'playtest.badTests',
])('says why nothing was opened in the language of the user: %s', (reason) => {
  const failure = { reason, message: 'English.', hint: 'Hint.' };
  const words = LOCALES.map((locale) => createCommandLineText(locale).cannotOpenProject('/game', failure));
  expect(new Set(words).size).toBe(LOCALES.length);
  expect(words.join()).not.toContain('English.');
  const other = createCommandLineText('zh').cannotOpenProject('/game', { message: 'English.', hint: 'Hint.' });
  expect(other).toContain('English. Hint.');
});
