import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLineDiff } from '../../main/core/text/line-diff.ts';
import type { ProposedFile } from '../model/proposal.ts';
import {
  composePieces,
  countPieces,
  matchHunks,
  toComposedLine,
  toEditableText,
  toEditedLines,
  toShownPieceLine,
  withEdits,
} from './pieces.ts';

function toFile(before: string | null, after: string | null): ProposedFile {
  const { hunks } = toLineDiff(before, after);
  return { path: 'game/scene/a.txt', before, after, hunks, version: 'v', added: 0, removed: 0, hasConflict: false };
}

const allOf = (file: ProposedFile) => new Set(Array.from({ length: countPieces(file) }, (_, index) => index));

/** Texts with a byte order mark, both line endings and both kinds of ends. */
const text = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(fc.constantFrom('', ':a;', ':b;', '雨', 'label:x;'), fc.constantFrom('\n', '\r\n')), {
      maxLength: 12,
    }),
    fc.constantFrom('', ':last;'),
  )
  .map(([hasMark, lines, end]) => (hasMark ? '\uFEFF' : '') + lines.map((each) => each.join('')).join('') + end);
const change = fc.tuple(fc.option(text), fc.option(text)).filter(([before, after]) => before !== after);

describe('composePieces', () => {
  it('gives the text before without pieces, and the proposed text with all, to the byte', () => {
    fc.assert(
      fc.property(change, ([before, after]) => {
        const file = toFile(before, after);
        expect(composePieces(file, { taken: new Set() })).toBe(before);
        expect(composePieces(file, { taken: allOf(file) })).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  it('gives what the hunks show for any subset: their new lines, the old lines of the others, all else unchanged', () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (before, after, ticks) => {
        const file = toFile(before, after);
        const taken = new Set([...allOf(file)].filter((index) => ticks[index]));
        const old = before.split('\n');
        // From the end, so that the places of the earlier hunks stay.
        for (const [index, { startOld, lenOld, linesNew }] of [...file.hunks.entries()].reverse()) {
          if (taken.has(index)) old.splice(startOld - 1, lenOld, ...linesNew);
        }
        expect(composePieces(file, { taken })).toBe(old.join('\n'));
      }),
      { numRuns: 500 },
    );
  });

  it('finds each taken hunk at its line of the composed text, and its line in the view', () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (before, after, ticks) => {
        const file = toFile(before, after);
        const taken = new Set([...allOf(file)].filter((index) => ticks[index]));
        const lines = composePieces(file, { taken })?.split('\n') ?? [];
        for (const [index, { linesNew, startNew }] of file.hunks.entries()) {
          const line = toComposedLine(file, { taken }, index);
          if (!taken.has(index) || linesNew.length === 0) continue;
          expect(lines.slice(line - 1, line - 1 + linesNew.length)).toEqual(linesNew);
          expect(toShownPieceLine(file, { taken }, line)).toBe(startNew);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('puts the lines of the user in place of the proposed ones, with the line endings of the file', () => {
    const file = toFile('\uFEFFa;\r\nb;\r\nc;\r\nk;\r\nd;', '\uFEFFA;\r\nb;\r\nC;\r\nk;\r\nd;\r\ne;');
    expect(file.hunks.map(({ linesNew }) => toEditableText(linesNew))).toEqual(['A;', 'C;', 'd;\ne;']);
    const edited = new Map(
      ['one\ntwo', '', 'd;\nx;\ny;'].map((own, index) => {
        const hunk = file.hunks[index];
        return [index, hunk ? toEditedLines(file, hunk, own) : []] as const;
      }),
    );
    expect(composePieces(file, { taken: new Set([0, 1, 2]), edited })).toBe(
      '\uFEFFone\r\ntwo\r\nb;\r\nk;\r\nd;\r\nx;\r\ny;',
    );
    expect(composePieces(file, { taken: new Set([2]), edited })).toBe('\uFEFFa;\r\nb;\r\nc;\r\nk;\r\nd;\r\nx;\r\ny;');
  });

  it('edits a new file as one piece that ends as the proposed one', () => {
    for (const end of ['\n', '']) {
      const file = toFile(null, `a;\nb;${end}`);
      expect(composePieces(file, { taken: new Set([0]), edited: new Map([[0, ['x;', 'y;']]]) })).toBe(`x;\ny;${end}`);
      expect(composePieces(file, { taken: new Set() })).toBeNull();
    }
  });
});

describe('withEdits', () => {
  it('shows the edits, with the later hunks at their new lines', () => {
    const file = toFile('a\nb\nc\nd\n', 'A\nb\nC\nd\n');
    const shown = withEdits(file, new Map([[0, ['1', '2', '3']]]));
    expect([shown.after, shown.hunks.map(({ startNew, lenNew }) => [startNew, lenNew])]).toEqual([
      '1\n2\n3\nb\nC\nd\n',
      [
        [1, 3],
        [5, 1],
      ],
    ]);
    expect(withEdits(file, undefined)).toBe(file);
  });
});

describe('matchHunks', () => {
  it('finds the hunks that wait after others were accepted', () => {
    const file = toFile('a\nb\nc\nd\ne\n', 'A\nb\nC\nd\nE\n');
    const rest = toFile('a\nb\nC\nd\ne\n', 'A\nb\nC\nd\nE\n');
    expect(matchHunks(file.hunks, rest.hunks, () => false)).toEqual([0, undefined, 1]);
  });

  it('knows which of several equal hunks were accepted', () => {
    const file = toFile('1\n2\n3\n4\n', 'x\n1\nx\n2\nx\n3\nx\n4\n');
    const rest = toFile('x\n1\n2\n3\n4\n', 'x\n1\nx\n2\nx\n3\nx\n4\n');
    const wasTaken = (index: number) => index === 0;
    expect(matchHunks(file.hunks, file.hunks, wasTaken)).toEqual([0, 1, 2, 3]);
    expect(matchHunks(file.hunks, rest.hunks, wasTaken)).toEqual([undefined, 0, 1, 2]);
  });
});
