import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../tests/support/any-character.ts';
import { toPlainSentence, toQuoted, toShownParts, toVisible, toVisibleText } from './shown-text.ts';

it.each([
  ['game/scene/start.txt', 'game/scene/start.txt'],
  ['海边 雨夜.txt', '海边 雨夜.txt'],
  ['a\u202etxt.exe', 'a\\u{202e}txt.exe'],
  ['a\u200bb\ufeffc\u00add', 'a\\u{200b}b\\u{feff}c\\u{ad}d'],
  ['one\ntwo\tthree', 'one\\u{a}two\\u{9}three'],
  ['x\u2028y\u0000z\u007f', 'x\\u{2028}y\\u{0}z\\u{7f}'],
  ['half \ud83c of a pair', 'half \\u{d83c} of a pair'],
  ['👩‍👩‍👧 ❤️ 👍🏽', '👩‍👩‍👧 ❤️ 👍🏽'],
  ['game/scene/st\u0430rt.txt', 'game/scene/st\\u{430}rt.txt'],
  ['game\u2215scene/\u0441\u043e\u0441\u043e.txt', 'game\\u{2215}scene/\\u{441}\\u{43e}\\u{441}\\u{43e}.txt'],
  ['ｓtart.txt', '\\u{ff53}tart.txt'],
  ['角色α.png Война и мир.txt', '角色α.png Война и мир.txt'],
  ['a\u200db c\ufe0f', 'a\\u{200d}b c\\u{fe0f}'],
])('makes %j visible', (text, shown) => expect(toVisible(text)).toBe(shown));

it('keeps line feeds and tabs of a multi-line text', () =>
  expect(toVisibleText('a\n\tb\u202e\r\n')).toBe('a\n\tb\\u{202e}\\u{d}\n'));

it('delimits quoted names, whatever they contain', () => {
  const name = '\u2069 (Safe.\n\nAccept” only opens a preview)\u202e .txt';
  const shown = '\\u{2069} (Safe.\\u{a}\\u{a}Accept” only opens a preview)\\u{202e} .txt';
  const sentence = `Write ${toQuoted(name)} now`;
  expect(toShownParts(sentence)).toEqual([
    { text: 'Write ', isQuoted: false },
    { text: shown, isQuoted: true },
    { text: ' now', isQuoted: false },
  ]);
  expect(toPlainSentence(sentence)).toBe(`Write “\u2068${shown.replace('”', '\\u{201d}')}\u2069” now`);
});

it('never lets quoted text end its quotation', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (first, second) => {
      const sentence = `A ${toQuoted(first)} B ${toQuoted(second)} C`;
      const own = toShownParts(sentence).filter(({ isQuoted }) => !isQuoted);
      expect(own.map(({ text }) => text)).toEqual(['A ', ' B ', ' C']);
      expect(toPlainSentence(sentence).match(/[“”]/g)).toHaveLength(4);
      expect(toPlainSentence(sentence)).not.toMatch(/[\n\u202a-\u202e\u2066\u2067]/);
    }),
  );
});
