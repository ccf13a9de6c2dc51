import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepLineEndings } from './line-endings.ts';

const ending = fc.constantFrom('\n', '\r\n');
/** Distinct lines, so that it is unambiguous which old line a new one continues. */
const lines = fc.uniqueArray(fc.stringMatching(/^[a-z雨夜;:]{1,6}$/), { maxLength: 12 });
const mixedText = fc
  .tuple(lines, fc.array(ending, { minLength: 12, maxLength: 12 }), fc.boolean())
  .map(([texts, endings, last]) =>
    texts.map((text, index) => text + (index < texts.length - 1 || last ? endings[index] : '')).join(''),
  );

describe('keepLineEndings', () => {
  it.each([
    ['a\r\nb\r\n', 'a\nB\n', 'a\r\nB\r\n'],
    ['a\r\nb', 'a\nb\nc', 'a\r\nb\r\nc'],
    ['a\nb\r\nc\nd\n', 'a\nb\nnew\nc\nd\n', 'a\nb\r\nnew\nc\nd\n'],
    ['a\r\nb\r\nc\n', 'c\nnew\n', 'c\nnew\r\n'],
    ['\uFEFFa\n', 'b\n', '\uFEFFb\n'],
    ['\uFEFFa\r\n', '\uFEFFa\nb\n', '\uFEFFa\r\nb\r\n'],
    ['a\r\n', 'a\r\nb\n', 'a\r\nb\n'],
    ['a\nb\n', 'a\r\nb\r\n', 'a\r\nb\r\n'],
    ['', 'a\n', 'a\n'],
    ['a\r\nb\r\n', '', ''],
  ])('%j replaced by %j is written as %j', (before, after, written) => {
    expect(keepLineEndings(before, after)).toBe(written);
  });

  it('restores every byte when only the line endings were lost', () => {
    fc.assert(
      fc.property(mixedText, (before) => {
        expect(keepLineEndings(before, before.replaceAll('\r\n', '\n'))).toBe(before);
      }),
    );
  });

  it('changes only line endings and the byte order mark', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const bare = (text: string) => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
        expect(bare(keepLineEndings(before, after))).toBe(bare(after));
      }),
    );
  });

  it('keeps a text that contains CRLF unchanged', () => {
    fc.assert(
      fc.property(mixedText, mixedText, (before, after) => {
        fc.pre(after.includes('\r\n'));
        expect(keepLineEndings(before, after)).toBe(after);
      }),
    );
  });

  it('keeps the endings of all other lines when a line is inserted', () => {
    fc.assert(
      fc.property(mixedText, fc.nat(), (before, seed) => {
        const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const place = old.length === 0 ? 0 : seed % old.length;
        const after = old
          .map((line) => line.replace('\r\n', '\n'))
          .toSpliced(place, 0, 'NEW LINE\n')
          .join('');
        const written = keepLineEndings(before, after).match(/[^\n]*\n|[^\n]+$/g) ?? [];
        expect(written.toSpliced(place, 1)).toEqual(old);
        expect(written[place]?.trimEnd()).toBe('NEW LINE');
      }),
    );
  });

  it('compares at most four million pairs of lines', () => {
    const toText = (lines: number, word: string, ending: (line: number) => string) =>
      Array.from({ length: lines }, (_, line) => `${line === 1 ? 'kept' : `${word} ${line}`}${ending(line)}`).join('');
    const keptEnding = (lines: number) => {
      const before = toText(lines, 'old', (line) => (line % 2 ? '\n' : '\r\n'));
      return keepLineEndings(
        before,
        toText(lines, 'new', () => '\n'),
      ).match(/kept(\r?\n)/)?.[1];
    };
    expect(keptEnding(2_000)).toBe('\n');
    // Not compared, so the line is treated as new.
    expect(keptEnding(2_001)).toBe('\r\n');
    expect(keptEnding(20_000)).toBe('\r\n');
  });
});
