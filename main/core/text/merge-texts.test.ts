import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMergedText } from '../../../shared/model/merge.ts';
import { mergeIntoFile, mergeTexts } from './merge-texts.ts';

const line = fc.constantFrom('', ':a;', ':b;', 'Yuki:hi;', 'jumpLabel:x;', '雨');
const lines = fc.array(line, { maxLength: 12 });
const conflictsOf = (base: string | null, mine: string, theirs: string) =>
  mergeTexts({ base, mine, theirs }).filter(({ kind }) => kind === 'conflict');

/** Base lines that all differ. `edit` replaces the line at each given index by a list of lines. */
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at};`);
function edit(base: readonly string[], edits: ReadonlyMap<number, readonly string[]>): string {
  return base.flatMap((text, at) => edits.get(at) ?? [text]).join('\n');
}

/** Edits of two sides at different lines, with at least one unchanged line between edits. */
const apart = fc
  .tuple(fc.integer({ min: 4, max: 14 }), fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 14, maxLength: 14 }))
  .chain(([count, owners]) =>
    fc
      .array(fc.array(fc.string({ unit: fc.constantFrom('x', 'y', '雨'), maxLength: 3 }), { maxLength: 3 }), {
        minLength: count,
        maxLength: count,
      })
      .map((texts) => {
        const mine = new Map<number, string[]>();
        const theirs = new Map<number, string[]>();
        texts.forEach((text, at) => {
          // Odd lines belong to neither side, so that edits of the two sides are never adjacent.
          if (at % 2 === 1) return;
          if (owners[at] === 0)
            mine.set(
              at,
              text.map((each, index) => `mine ${at}.${index} ${each}`),
            );
          if (owners[at] === 1)
            theirs.set(
              at,
              text.map((each, index) => `theirs ${at}.${index} ${each}`),
            );
        });
        return { base: numbered(count), mine, theirs };
      }),
  );

describe('merging three texts', () => {
  it('merges edits that do not overlap, in either order of the sides', () => {
    fc.assert(
      fc.property(apart, ({ base, mine, theirs }) => {
        const texts = { base: base.join('\n'), mine: edit(base, mine), theirs: edit(base, theirs) };
        const expected = edit(base, new Map([...mine, ...theirs]));
        expect(mergeIntoFile(texts)).toBe(expected);
        expect(mergeIntoFile({ ...texts, mine: texts.theirs, theirs: texts.mine })).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('reports a conflict with both texts if both sides replace the same line', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(), (count, place) => {
        const base = numbered(count);
        const at = place % count;
        const mine = edit(base, new Map([[at, ['mine;']]]));
        const theirs = edit(base, new Map([[at, ['theirs;', 'more;']]]));
        expect(conflictsOf(base.join('\n'), mine, theirs)).toEqual([
          { kind: 'conflict', mine: ['mine;'], theirs: ['theirs;', 'more;'] },
        ]);
        expect(mergeIntoFile({ base: base.join('\n'), mine, theirs })).toBeNull();
      }),
    );
  });

  it('keeps all lines that either side added', () => {
    fc.assert(
      fc.property(fc.option(lines), lines, lines, (base, own, other) => {
        const [mine, theirs] = [[...own, 'typed here;'].sort(), ['written there;', ...other]];
        const parts = mergeTexts({ base: base?.join('\n') ?? null, mine: mine.join('\n'), theirs: theirs.join('\n') });
        const left = parts.flatMap((part) => (part.kind === 'merged' ? part.lines : [...part.mine, ...part.theirs]));
        expect(left).toContain('typed here;');
        expect(left).toContain('written there;');
      }),
      { numRuns: 1000 },
    );
  });

  it('returns the text of the side for which all conflicts are resolved, without a base', () => {
    fc.assert(
      fc.property(lines, lines, (own, other) => {
        const [mine, theirs] = [own.join('\n'), other.join('\n')];
        const parts = mergeTexts({ base: null, mine, theirs });
        expect(toMergedText(parts)).toBe(mine);
        expect(
          toMergedText(
            parts,
            parts.map(() => 'theirs' as const),
          ),
        ).toBe(theirs);
      }),
      { numRuns: 1000 },
    );
  });

  it('returns the changed side if only one changed or both made the same change', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [base, text] = [before.join('\n'), after.join('\n')];
        expect(mergeIntoFile({ base, mine: text, theirs: base })).toBe(text);
        expect(mergeIntoFile({ base, mine: base, theirs: text })).toBe(text);
        expect(mergeIntoFile({ base, mine: text, theirs: text })).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['neighbouring lines', 'a\nb\n', 'A\nb\n', 'a\nB\n', 'A\nB\n'],
    ['a line added where the other removed one', 'a\nb\nc\n', 'a\nc\n', 'a\nb\nnew\nc\n', 'a\nnew\nc\n'],
    ['lines added at the top and at the end', 'a\nb\n', 'a\nb\nend\n', 'top\na\nb\n', 'top\na\nb\nend\n'],
    ['a final newline that one side added', 'a\nb', 'a\nb\n', 'top\na\nb', 'top\na\nb\n'],
    ['a missing final newline', 'a\nb', 'a\nb\nc', 'top\na\nb', 'top\na\nb\nc'],
  ])('merges %s', (_name, base, mine, theirs, expected) => {
    expect(mergeIntoFile({ base, mine, theirs })).toBe(expected);
    expect(mergeIntoFile({ base, mine: theirs, theirs: mine })).toBe(expected);
  });

  it.each([
    ['different lines added at the same place', 'a\nb\n', 'a\nmine\nb\n', 'a\ntheirs\nb\n'],
    ['lines added beside a line that grew', 'a\nb\n', 'a\nmine\nb\n', 'A\nmore\nb\n'],
    ['a line changed on one side and removed on the other', 'a\nb\nc\n', 'a\nB\nc\n', 'a\nc\n'],
  ])('leaves %s to the user', (_name, base, mine, theirs) => {
    expect(mergeIntoFile({ base, mine, theirs })).toBeNull();
    expect(mergeIntoFile({ base, mine: theirs, theirs: mine })).toBeNull();
  });

  it.each([
    [
      'the byte order mark and the line endings of the file',
      'a\nb\n',
      'a\nb\nnew\n',
      '\uFEFFtop\r\na\r\nb\r\n',
      '\uFEFFtop\r\na\r\nb\r\nnew\r\n',
    ],
    [
      'each line ending of a file with mixed ones',
      'a\r\nb\nc\r\n',
      'a\nb\nc\nnew\n',
      'top\r\na\r\nb\nc\r\n',
      'top\r\na\r\nb\nc\r\nnew\r\n',
    ],
    ['a last line without a line feed', 'a\r\nb', 'A\nb', 'a\r\nb\r\nc', 'A\r\nb\r\nc'],
    ['a last line that is followed by added lines', 'a\r\nb', 'a\r\nb\r\nc', 'top\r\na\r\nb', 'top\r\na\r\nb\r\nc'],
  ])('keeps %s', (_name, base, mine, theirs, expected) => {
    expect(mergeIntoFile({ base, mine, theirs })).toBe(expected);
  });

  it('inserts both texts, the one on disk first, if the user keeps both', () => {
    const parts = mergeTexts({ base: 'a\nb\n', mine: 'a\nmine\n', theirs: 'a\ntheirs\n' });
    expect(toMergedText(parts, ['both'])).toBe('a\ntheirs\nmine\n');
  });
});
