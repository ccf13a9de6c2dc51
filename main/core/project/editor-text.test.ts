import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEditorText, toFileText } from './editor-text.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'b', '雨', ';', ' '), maxLength: 4 });
const wild = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 })
  .map((lines) => lines.map(([text, ending]) => text + ending).join(''));
const file = fc.tuple(fc.constantFrom('', '\uFEFF'), wild, line).map((parts) => parts.join(''));

describe('conversion of file text to editor text and back', () => {
  it('returns the original text if nothing was edited, with any line endings', () => {
    const isSame = (text: string) => toFileText(toEditorText(text), text) === text;
    fc.assert(fc.property(file, isSame));
  });

  it('returns exactly the edited text', () => {
    const isEditedText = (original: string, edited: string) =>
      toEditorText(toFileText(edited, original)) === toEditorText(edited);
    fc.assert(fc.property(file, wild, isEditedText), { numRuns: 1000 });
  });

  it.each([
    ['adds new lines with the line ending of the others', 'a\r\nb\r\n', 'a\nnew\nb\n', 'a\r\nnew\r\nb\r\n'],
    ['keeps mixed line endings', 'a\r\nb\nc\r\nd\r\n', 'a\nb\nC\nd\n', 'a\r\nb\nC\r\nd\r\n'],
    ['keeps a byte order mark', '\uFEFFa\n', 'b\n', '\uFEFFb\n'],
    ['adds no byte order mark', 'a\n', 'b\n', 'b\n'],
    ['adds no final line ending', 'a\r\nb', 'a\nb\nc', 'a\r\nb\r\nc'],
    ['empties a file', 'a\r\nb\r\n', '', ''],
    ['uses line feeds in a file that was empty', '', 'a\nb\n', 'a\nb\n'],
    ['does not join a lone carriage return with the next line feed', '\r\r\n\n', 'a\n\n', 'a\r\r'],
    ['handles repeated lines', 'x\r\nx\r\n', 'x\nx\nx\n', 'x\r\nx\r\nx\r\n'],
  ])('%s', (_name, original, edited, expected) => {
    expect(toFileText(edited, original)).toBe(expected);
  });
});
