import { expect, it } from 'vitest';
import { isLineEndingsOnly, toShownLine, toShownLines } from './shown-lines.ts';

const words = { emptyLines: (count: number) => `${count} empty lines`, spaces: (count: number) => `${count} spaces` };

it('replaces a long run of empty lines by its count', () => {
  const shown = toShownLines(`a;\n${'\n'.repeat(3000)}jumpLabel:trap;\n`, words);
  expect(shown).toEqual({ text: 'a;\n⟦3000 empty lines⟧\njumpLabel:trap;\n', lines: [1, 2, 3002, 3003] });
  expect([1, 2, 1500, 3001, 3002, 3003].map((line) => toShownLine(shown, line))).toEqual([1, 2, 2, 2, 3, 4]);
});

it.each([
  ['lines of spaces', `a\n${'   \n'.repeat(20)}b`, 'a\n⟦20 empty lines⟧\nb'],
  ['lines that end in CRLF', `a\r\n${'\r\n'.repeat(20)}b`, 'a\n⟦20 empty lines⟧\nb'],
  ['the end of a file', `a\n${'\n'.repeat(20)}`, 'a\n⟦20 empty lines⟧\n'],
  ['a few empty lines', 'a\n\n\nb\n', 'a\n\n\nb\n'],
  ['text after a long run of spaces', `a;${' '.repeat(5000)}b;`, 'a;⟦5000 spaces⟧b;'],
  [
    'empty lines with invisible characters',
    `a\n${'\u200b\n'.repeat(2)}b`,
    'a\n⟦U+200B ZERO WIDTH SPACE⟧\n⟦U+200B ZERO WIDTH SPACE⟧\nb',
  ],
  ['a byte order mark', '\uFEFFa\n', 'a\n'],
])('shows %s', (_name, text, shown) => expect(toShownLines(text, words).text).toBe(shown));

it('detects a change of line endings only', () => {
  expect(isLineEndingsOnly('a\nb\n', 'a\r\nb\r\n')).toBe(true);
  expect(isLineEndingsOnly('\uFEFFa\r\nb', 'a\nb')).toBe(true);
  expect(isLineEndingsOnly('a\nb\n', 'a\nb')).toBe(false);
  expect(isLineEndingsOnly('a\n', 'a\n')).toBe(false);
  expect(isLineEndingsOnly(null, 'a\n')).toBe(false);
});
