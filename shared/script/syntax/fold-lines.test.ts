import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sceneTextPreProcess } from 'webgal-parser';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnoseScene } from '../diagnostics/diagnose.ts';
import { fixAll, isCertainlyFixable } from '../diagnostics/fix-all.ts';
import { applyEdits } from '../language-features/apply-edits.ts';
import { completionsAt } from '../language-features/completions.ts';
import { formatScene } from '../language-features/format.ts';
import { hoverAt } from '../language-features/hover.ts';
import { toParserSentence } from '../language-features/parser-sentence.ts';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { referencesOf, renameSymbol, symbolAt } from '../project-index/symbols.ts';
import { LINE } from './analyze-line.ts';
import { lastLineOfStatement } from './fold-lines.ts';
import { scanScene } from './scan.ts';

const PATH = 'game/scene/start.txt';

function createIndex(text: string, engineVersion = '4.6.4') {
  const index = createProjectIndex({ engineVersion });
  index.setScene(PATH, text);
  return index;
}

const find = (text: string, engineVersion?: string) =>
  diagnoseScene(createIndex(text, engineVersion), PATH, { locale: 'en' });
const places = (found: readonly Diagnostic[]) =>
  found.map(({ code, severity, line, column, endLine, endColumn }) =>
    [severity, code, `${line}:${column}-${endLine}:${endColumn}`].join(' '),
  );

/** The scene as read by the engine, one statement per line; the engine's parser joins the lines. */
function readJoined(text: string): unknown[] {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  return scanScene(sceneTextPreProcess(text)).map((statement) => {
    // The comment after a statement, and placeholders, are left out.
    const sentence = toParserSentence(statement, '4.6.4');
    return sentence.command === 'comment' ? null : { ...sentence, inlineComment: '' };
  });
}

/** Applies all certain fixes as `--fix` does, except the removal of a first `-concat`, which changes the output. */
function applyCertain(text: string): string {
  let now = text;
  for (let round = 0; round < 4; round += 1) {
    const certain = find(now).filter((found) => isCertainlyFixable(found) && found.code !== 'concat-first');
    const [first] = certain;
    if (first === undefined) break;
    now = applyEdits(now, fixAll(certain, first.code).get(PATH) ?? []);
  }
  return now;
}

afterEach(() => vi.restoreAllMocks());

describe('statements over several lines', () => {
  test('are one statement, with a note that older engines read them differently', () => {
    const text = 'A:hi;\nchangeFigure:a.png\n  -left\n  -next;\nA:bye;\nend;';
    expect(places(find(text))).toEqual(['info continuation-line 3:3-3:8']);
    expect(places(find(text, '4.6.1')).filter((place) => place.includes('continuation'))).toEqual([
      'error continuation-line 3:1-3:8',
      'error continuation-line 4:1-4:8',
    ]);
    expect(places(find('choose:甲:q\n  |乙:r;\nlabel:q;\nA:q;\nend;\nlabel:r;\nA:r;\nend;'))).toEqual([
      'info continuation-line 2:3-2:8',
    ]);
  });

  test('have their findings at the original position', () => {
    expect(places(find('A:hi;\nchangeFigure:a.png\n  -left\n  -nxt;\nchoose:甲:q\n  |乙:r;\nlabel:q;\nend;'))).toEqual([
      'info continuation-line 3:3-3:8',
      'warning unknown-argument 4:3-4:7',
      'info continuation-line 6:3-6:8',
      'error missing-label 6:6-6:7',
    ]);
  });

  test('get their semicolon at the end of the last line', () => {
    const text = 'A:hi;\nchangeFigure:a.png\n  -left\n  -next\nend;';
    expect(applyCertain(text)).toBe('A:hi;\nchangeFigure:a.png\n  -left\n  -next;\nend;');
  });

  test('are joined by a backslash; -concat and a line after an empty one are not joined', () => {
    expect(readJoined('A:one\\\ntwo;')[0]).toMatchObject({ content: 'onetwo' });
    expect(places(find('A:one\\\ntwo;\nend;'))).toEqual(['info continuation-line 2:1-2:5']);
    expect(places(find('A:one;\n  -concat;\nend;'))).toContain('error continuation-line 2:1-2:10');
    expect(places(find('A:one;\n\n  -next;\nend;'))).toEqual([]);
  });

  test('are renamed at the position in each line', () => {
    const index = createIndex('choose:甲:q\n  |乙:q;\nlabel:q;\nA:q;\nend;');
    const symbol = { kind: 'label' as const, name: 'q', scene: PATH };
    expect(referencesOf(index, symbol).map(({ line, column }) => [line, column])).toEqual([
      [1, 10],
      [2, 6],
      [3, 7],
    ]);
    const renamed = renameSymbol(index, symbol, 'z');
    const edits = 'edits' in renamed ? (renamed.edits.get(PATH) ?? []) : [];
    expect(applyEdits('choose:甲:q\n  |乙:q;\nlabel:q;\nA:q;\nend;', edits)).toBe(
      'choose:甲:z\n  |乙:z;\nlabel:z;\nA:q;\nend;',
    );
  });

  test('support completion, hover and definitions in a continuation line', () => {
    const index = createIndex('changeFigure:a.png\n  -lef\n  -id=hero\nchoose:甲:q\n  |乙:q;\nlabel:q;');
    const found = completionsAt(index, { path: PATH, line: 2, column: 7 }, 'en');
    expect(found.find(({ label }) => label === 'left')).toMatchObject({ kind: 'argument', start: 3, end: 6 });
    expect(hoverAt(index, { path: PATH, line: 3, column: 5 }, 'en')).toMatchObject({ start: 3, end: 5 });
    expect(symbolAt(index, { path: PATH, line: 5, column: 6 })).toMatchObject({
      symbol: { kind: 'label', name: 'q' },
      range: { line: 5, column: 6, endColumn: 7 },
    });
  });

  test.each(['小满:你好;\n\u3000 -第二句', 'A:x;\n\t -next'])('do not come from lines of their own: %j', (text) => {
    expect(formatScene(text)).toEqual([]);
  });

  test('are not changed by formatting', () => {
    expect(formatScene('changeFigure:a.png  -left\n  -next\nA:hi')).toEqual([
      { line: 3, column: 1, endLine: 3, endColumn: 5, newText: 'A:hi;' },
    ]);
  });
});

const piece = fc.constantFrom(
  'A:hi',
  'A:hi;',
  'changeFigure:a.png',
  'choose:甲:q',
  '  -left',
  ' -next;',
  '  -concat',
  '  |乙:r',
  'A:one\\',
  'two',
  '  three\\',
  '; note',
  'setVar:a=1',
  '  -id=b -when=a>1;',
);

describe('generated scenes with continuation lines', () => {
  test('keep the engine’s reading when certain fixes are applied', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (lines) => {
        const text = ['A:hi;', ...lines, 'end;'].join('\n');
        expect(readJoined(applyCertain(text))).toEqual(readJoined(text));
      }),
      { numRuns: 150 },
    );
  });

  test('have the same findings after incremental changes as when read as a whole', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 2, maxLength: 10 }),
        fc.array(fc.tuple(fc.nat(9), fc.option(piece), fc.boolean()), { maxLength: 6 }),
        (lines, changes) => {
          const now = [...lines];
          const index = createIndex(now.join('\n'));
          for (const [at, text, replaces] of changes) {
            now.splice(at % (now.length + 1), replaces ? 1 : 0, ...(text === null ? [] : [text]));
            index.setScene(PATH, now.join('\n'));
            expect(places(diagnoseScene(index, PATH, { locale: 'en' }))).toEqual(places(find(now.join('\n'))));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('end where the line says that is the last of their statement', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (lines) => {
        const records = createIndex(lines.join('\n')).scene(PATH)?.records ?? [];
        for (const line of records.keys()) {
          let last = line;
          while (((records[last + 1]?.flags ?? 0) & LINE.continued) !== 0) last += 1;
          expect(lastLineOfStatement((at) => lines[at], line)).toBe(last);
        }
      }),
    );
  });
});
