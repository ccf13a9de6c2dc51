import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEditorText, toFileText } from './editor-text.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'b', '雨', ';', ' '), maxLength: 4 });
const wild = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 })
  .map((lines) => lines.map(([text, ending]) => text + ending).join(''));
const file = fc.tuple(fc.constantFrom('', '\uFEFF'), wild, line).map((parts) => parts.join(''));

describe('a text on its way to the editor and back', () => {
  it('comes back as it was when she changed nothing, whatever its line endings', () => {
    const isSame = (text: string) => toFileText(toEditorText(text), text) === text;
    fc.assert(fc.property(file, isSame));
  });

  it('holds exactly what she typed', () => {
    const isHers = (original: string, edited: string) =>
      toEditorText(toFileText(edited, original)) === toEditorText(edited);
    fc.assert(fc.property(file, wild, isHers), { numRuns: 1000 });
  });

  it.each([
    ['new lines end as the others do', 'a\r\nb\r\n', 'a\nnew\nb\n', 'a\r\nnew\r\nb\r\n'],
    ['a mixed file keeps its mixture', 'a\r\nb\nc\r\nd\r\n', 'a\nb\nC\nd\n', 'a\r\nb\nC\r\nd\r\n'],
    ['a byte order mark stays', '\uFEFFa\n', 'b\n', '\uFEFFb\n'],
    ['a byte order mark is not made', 'a\n', 'b\n', 'b\n'],
    ['a last line without an end gets none', 'a\r\nb', 'a\nb\nc', 'a\r\nb\r\nc'],
    ['an emptied file is empty', 'a\r\nb\r\n', '', ''],
    ['an empty file takes plain line feeds', '', 'a\nb\n', 'a\nb\n'],
    ['a lone return does not take the next line', '\r\r\n\n', 'a\n\n', 'a\r\r'],
    ['a repeated line is no trap', 'x\r\nx\r\n', 'x\nx\nx\n', 'x\r\nx\r\nx\r\n'],
  ])('%s', (_name, original, edited, expected) => {
    expect(toFileText(edited, original)).toBe(expected);
  });
});
