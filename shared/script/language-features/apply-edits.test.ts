import { expect, test } from 'vitest';
import { applyEdits } from './apply-edits.ts';

const edit = (line: number, column: number, endColumn: number, newText: string) => ({
  line,
  column,
  endLine: line,
  endColumn,
  newText,
});

test.each([
  ['applies an edit of one line', 'abc', [edit(1, 2, 3, 'X')], 'aXc'],
  ['applies edits in any order', 'abc\ndef', [edit(2, 1, 2, 'D'), edit(1, 3, 4, 'C')], 'abC\nDef'],
  ['applies several edits of a line', 'abc', [edit(1, 3, 4, ''), edit(1, 1, 1, '>')], '>ab'],
  ['keeps carriage returns', 'a\r\nb\r\n', [edit(1, 2, 2, ';'), edit(2, 2, 9, ';')], 'a;\r\nb;\r\n'],
  ['counts columns after a byte order mark', '\uFEFFa;', [edit(1, 1, 2, 'b')], '\uFEFFb;'],
  ['clamps positions past the end', 'a', [edit(7, 1, 1, '!')], 'a!'],
  ['nothing', 'a\r\n', [], 'a\r\n'],
])('%s', (_name, text, edits, expected) => {
  expect(applyEdits(text, edits)).toBe(expected);
});
