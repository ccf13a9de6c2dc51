import { expect, it } from 'vitest';
import { createLineWrapping, type WrappingFactory } from './line-wrapping.ts';

const FONT = { isMonospace: true, typicalHalfwidthCharacterWidth: 8, typicalFullwidthCharacterWidth: 14 };

/** A way to compute breaks that records the lengths of its lines; a break is a word for the way and the column. */
function createWay(name: string) {
  const lengths: number[] = [];
  let finished = 0;
  const factory: WrappingFactory<string, unknown[]> = {
    createLineBreaksComputer(context, _font, _tabSize, column) {
      const lines: number[] = [];
      return {
        addRequest: (line) => void lines.push(line),
        finalize() {
          finished += 1;
          lengths.push(...lines.map((line) => context.getLineContent(line).length));
          return lines.map((line) => `${name} ${column}: ${context.getLineContent(line).slice(0, 2)}`);
        },
      };
    },
  };
  return { factory, lengths, finished: () => finished };
}

function wrap(lines: readonly string[], { column = 40, hints = [] as number[], font = FONT } = {}) {
  const [measured, estimated] = [createWay('measured'), createWay('estimated')];
  const context = {
    getLineContent: (line: number) => lines[line - 1] ?? '',
    getLineInjectedText: (line: number) => (hints.includes(line) ? [{}] : null),
  };
  const wrapping = createLineWrapping(measured.factory, estimated.factory);
  const computer = wrapping.createLineBreaksComputer(context, font, 4, column);
  for (const [at] of lines.entries()) computer.addRequest(at + 1, 'of an earlier computation');
  return { breaks: computer.finalize(), measured, estimated };
}

it('estimates long lines and measures the others, in the order of the lines', () => {
  const { breaks, measured, estimated } = wrap([`ab${'c'.repeat(80_000)}`, `de${'f'.repeat(100)}`, 'short', '雨夜。']);
  expect(breaks).toEqual(['estimated 36: ab', 'measured 40: de', null, null]);
  expect([measured.lengths, estimated.lengths]).toEqual([[102], [80_002]]);
});

it('measures a bounded number of characters, however long the text is', () => {
  const measuredOf = (lines: number) =>
    wrap(Array.from({ length: lines }, () => '海'.repeat(60))).measured.lengths.reduce((sum, one) => sum + one, 0);
  expect(measuredOf(10)).toBe(600);
  expect(measuredOf(20_000)).toBe(measuredOf(2_000));
});

it('does not lay out anything for lines that certainly fit', () => {
  const { breaks, measured, estimated } = wrap(['x'.repeat(38), '海'.repeat(21), '']);
  expect(breaks).toEqual([null, null, null]);
  expect([measured.finished(), estimated.finished()]).toEqual([0, 0]);
});

it.each([
  ['a line of about the width', 'x'.repeat(39)],
  ['wide characters', '海'.repeat(22)],
  ['a character of unknown width', 'a\u{1f338}'],
  ['a tab', '\tx'],
])('measures %s', (_, text) => {
  expect(wrap([text]).measured.lengths).toEqual([text.length]);
});

it('measures short lines with inlay hints, which need room too', () => {
  expect(wrap(['short', 'other'], { hints: [2] }).breaks).toEqual([null, 'measured 40: ot']);
});

it('assumes wide letters in a font of varying widths', () => {
  expect(wrap(['x'.repeat(38)], { font: { ...FONT, isMonospace: false } }).measured.lengths).toEqual([38]);
});

it('leaves a text without wrapping to Monaco', () => {
  expect(wrap(['x'.repeat(5_000)], { column: -1 }).measured.lengths).toEqual([5_000]);
});
