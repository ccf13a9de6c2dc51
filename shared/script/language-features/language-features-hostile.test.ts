import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wildScript } from '../../../tests/support/attacks/wild-script.ts';
import type { Range } from '../../model/diagnostic.ts';
import { diagnoseScene } from '../diagnostics/diagnose.ts';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { definitionsOf, referencesOf, renameSymbol, symbolAt } from '../project-index/symbols.ts';
import { summarizeScene } from '../story/outline.ts';
import { scanScene } from '../syntax/scan.ts';
import { applyEdits } from './apply-edits.ts';
import { completionsAt } from './completions.ts';
import { foldScene } from './folding.ts';
import { formatScene } from './format.ts';
import { hoverAt, signatureAt } from './hover.ts';
import { toParserSentence } from './parser-sentence.ts';

const START = 'game/scene/start.txt';
const RUNS = { numRuns: 150 };

function open(text: string) {
  const index = createProjectIndex();
  index.setFiles([START, 'game/scene/two.txt', 'game/background/a.png', 'game/vocal/v1.wav']);
  index.setScene('game/scene/two.txt', 'label:a;\nsetVar:a=1;\na:x;\nend;');
  index.setScene(START, text);
  return index;
}

const linesOf = (text: string) => text.replace(/^\ufeff/, '').split('\n');

function expectWithin(text: string, { line, column, endLine, endColumn }: Range): void {
  const lines = linesOf(text);
  expect([line >= 1, endLine <= lines.length, column >= 1]).toEqual([true, true, true]);
  expect(endLine > line || endColumn >= column).toBe(true);
  expect(endColumn).toBeLessThanOrEqual((lines[endLine - 1] ?? '').length + 1);
}

/** 0-based columns, as the page converts them. */
function expectInLine(text: string, line: number, { start, end }: { start: number; end: number }): void {
  const length = (linesOf(text)[line - 1] ?? '').length;
  expect([0 <= start, start <= end, end <= length]).toEqual([true, true, true]);
}

/** An arbitrary scene and a position in it, sometimes outside its lines. */
const somewhere = fc.tuple(wildScript, fc.nat(), fc.nat()).map(([text, one, other]) => {
  const lines = linesOf(text);
  const line = 1 + (one % (lines.length + 1));
  return { text, place: { path: START, line, column: 1 + (other % ((lines[line - 1] ?? '').length + 3)) } };
});

test('completion, hover and signature never throw, and their ranges lie inside the line', () => {
  fc.assert(
    fc.property(somewhere, ({ text, place }) => {
      const index = open(text);
      for (const locale of ['en', 'zh-CN'] as const) {
        for (const completion of completionsAt(index, place, locale)) expectInLine(text, place.line, completion);
        const hover = hoverAt(index, place, locale);
        if (hover !== null) expectInLine(text, place.line, hover);
        signatureAt(index, place, locale);
      }
    }),
    RUNS,
  );
});

test('a rename changes only references, and renaming back restores the text', () => {
  fc.assert(
    fc.property(somewhere, ({ text, place }) => {
      // The engine removes lone carriage returns, so a name can be interrupted by one.
      fc.pre(!/\r(?!\n)/.test(text));
      const index = open(text);
      const found = symbolAt(index, place);
      if (found === null) return;
      expectWithin(text, found.range);
      for (const range of [...referencesOf(index, found.symbol), ...definitionsOf(index, found.symbol)])
        if (range.path === START) expectWithin(text, range);
      const renaming = renameSymbol(index, found.symbol, 'qqq_new');
      if ('problem' in renaming) return;
      const edits = renaming.edits.get(START) ?? [];
      const renamed = applyEdits(text, edits);
      expect(linesOf(renamed)).toHaveLength(linesOf(text).length);
      const back = open(renamed);
      const again = symbolAt(back, { path: START, ...placeOf(edits[0]) });
      if (again === null) return;
      const restored = renameSymbol(back, again.symbol, found.symbol.name);
      if (!('problem' in restored)) expect(applyEdits(renamed, restored.edits.get(START) ?? [])).toBe(text);
    }),
    RUNS,
  );
});

const placeOf = (range: { line: number; column: number } | undefined) => ({
  line: range?.line ?? 1,
  column: range?.column ?? 1,
});

test('formatting keeps every statement and is idempotent', () => {
  fc.assert(
    fc.property(wildScript, (text) => {
      const sentences = (script: string) => scanScene(script).map((one) => toParserSentence(one, '4.6.1'));
      const formatted = applyEdits(text, formatScene(text));
      expect(sentences(formatted)).toEqual(sentences(text));
      expect(applyEdits(formatted, formatScene(formatted))).toBe(formatted);
    }),
    // Regressions: the columns after a lone carriage return, and a second byte order mark, which is text.
    { ...RUNS, examples: [['\rsay'], ['\r\u0000'], ['A:x\r\nB: y\r'], ['\ufeff\ufeffintro']] },
  );
});

test('outline and folding ranges lie inside the scene, and queries change nothing', () => {
  fc.assert(
    fc.property(wildScript, (text) => {
      const index = open(text);
      const before = diagnoseScene(index, START, { locale: 'en' });
      const count = linesOf(text).length;
      for (const { start, end } of foldScene(index.scene(START)?.records ?? []))
        expect([start >= 1, start < end, end <= count]).toEqual([true, true, true]);
      for (const { line } of summarizeScene(index, START)?.labels ?? [])
        expect([line >= 1, line <= count]).toEqual([true, true]);
      expect(diagnoseScene(index, START, { locale: 'en' })).toEqual(before);
    }),
    RUNS,
  );
});
