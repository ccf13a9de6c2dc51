import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyOffsetEdits } from '../../../shared/text/text-edit.ts';
import { toTextEdits } from './text-edits.ts';

it('leaves the lines between two changes alone', () => {
  const before = 'one\ntwo\nthree\nfour\n';
  expect(toTextEdits(before, 'zero\none\ntwo\nthree\nfour, changed\n')).toEqual([
    { at: 18, removed: 0, text: ', changed' },
    { at: 0, removed: 0, text: 'zero\n' },
  ]);
  expect(toTextEdits(before, 'one\nthree\nfour')).toEqual([
    { at: 18, removed: 1, text: '' },
    { at: 4, removed: 4, text: '' },
  ]);
  expect(toTextEdits(before, before)).toEqual([]);
});

it('changes a line by its smallest run', () => {
  expect(toTextEdits('a\nlong line\nb', 'a\nlong, new line\nb')).toEqual([{ at: 6, removed: 0, text: ', new' }]);
});

it('turns any text into any other, by edits of which none moves another', () => {
  const parts = fc.constantFrom('a', 'b', 'ab', '雨', '\n', '\n\n', '');
  const text = fc.array(parts, { maxLength: 30 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const edits = toTextEdits(before, after);
      expect(applyOffsetEdits(before, edits, after.length)).toBe(after);
      for (const [index, { at, removed }] of edits.entries()) {
        expect(at + removed).toBeLessThanOrEqual(edits[index - 1]?.at ?? before.length);
      }
    }),
    { numRuns: 500 },
  );
});

it('is one edit where two long texts have nothing in common', () => {
  const lines = (word: string) => Array.from({ length: 30_000 }, (_, at) => `${word} ${at}\n`).join('');
  expect(toTextEdits(lines('a'), lines('b'))).toHaveLength(1);
});
