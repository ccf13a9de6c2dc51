import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { Diff } from '../../../shared/model/diff.ts';
import { countLines, toLineDiff } from './line-diff.ts';

/** Applies hunks to a text as the contract defines it. */
function apply(text: string, diff: Diff): string {
  const old = text.split('\n');
  const made: string[] = [];
  let line = 0;
  for (const hunk of diff.hunks) {
    while (line < hunk.startOld - 1) made.push(old[line++] ?? '');
    expect(old.slice(line, line + hunk.lenOld)).toEqual(hunk.linesOld);
    expect([hunk.linesOld.length, hunk.linesNew.length]).toEqual([hunk.lenOld, hunk.lenNew]);
    expect(made.length + 1).toBe(hunk.startNew);
    line += hunk.lenOld;
    made.push(...hunk.linesNew);
  }
  return [...made, ...old.slice(line)].join('\n');
}

describe('toLineDiff', () => {
  test('changes only the line that differs', () => {
    expect(toLineDiff('A\nB\nC\n', 'A\nB1\nB2\nC\n')).toEqual({
      type: 'line',
      hunks: [{ startOld: 2, lenOld: 1, startNew: 2, lenNew: 2, linesOld: ['B'], linesNew: ['B1', 'B2'] }],
    });
  });

  test('returns a pure insertion for a new file', () => {
    expect(toLineDiff(null, 'x\ny\n').hunks).toEqual([
      { startOld: 1, lenOld: 0, startNew: 1, lenNew: 2, linesOld: [], linesNew: ['x', 'y'] },
    ]);
    expect(toLineDiff(null, '').hunks).toEqual([]);
  });

  test('returns a pure removal for a deleted file', () => {
    expect(toLineDiff('x\ny\n', null).hunks).toEqual([
      { startOld: 1, lenOld: 2, startNew: 1, lenNew: 0, linesOld: ['x', 'y'], linesNew: [] },
    ]);
  });

  test.each([
    ['identical', 'a\nb\n', 'a\nb\n', 0],
    ['empty to text', '', 'x', 1],
    ['line feed added at the end', 'a\nb', 'a\nb\n', 1],
    ['line feed removed at the end', 'a\nb\n', 'a\nb', 1],
    ['all deleted', 'a\nb\n', '', 1],
    ['carriage returns kept', 'a;\r\nb;\r\nc;\r\n', 'a;\r\nB;\r\nc;\r\n', 1],
    ['insertion at the top', 'a\nb\n', 'n\na\nb\n', 1],
    ['two distant changes', 'a\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n', 2],
  ])('%s', (_, before, after, hunks) => {
    const diff = toLineDiff(before, after);
    expect(diff.hunks).toHaveLength(hunks);
    expect(apply(before, diff)).toBe(after);
  });

  test('returns valid hunks that transform one text into the other, for any two texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = toLineDiff(before, after);
        expect(Diff.parse(diff)).toEqual(diff);
        expect(apply(before, diff)).toBe(after);
      }),
    );
  });

  test('counts added and removed lines', () => {
    expect(countLines(toLineDiff('a\nb\nc\n', 'a\nX\nY\nc\n').hunks)).toEqual({ added: 2, removed: 1 });
  });

  test('returns one hunk for the changed part when the search takes longer than its timeout', () => {
    const lines = (word: string) => [1, 2].map((part) => `${word} ${part}`).join('\nkept\n');
    expect(toLineDiff(lines('old'), lines('new')).hunks).toHaveLength(2);
    let now = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => (now += 1000));
    expect(countLines(toLineDiff(lines('before'), lines('after')).hunks)).toEqual({ added: 3, removed: 3 });
  });

  test('handles two large texts without common lines', () => {
    const before = Array.from({ length: 30_000 }, (_, index) => `old ${index}`).join('\n');
    const after = Array.from({ length: 30_000 }, (_, index) => `new ${index}`).join('\n');
    expect(countLines(toLineDiff(before, after).hunks)).toEqual({ added: 30_000, removed: 30_000 });
  });
});
