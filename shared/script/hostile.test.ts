import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wildScript as wild } from '../../tests/support/attacks/wild-script.ts';
import { toRuns } from '../../tests/support/thorough.ts';
import { diagnoseProject, diagnoseScene } from './diagnostics/diagnose.ts';
import { applyEdits } from './language-features/apply-edits.ts';
import { completionsAt } from './language-features/completions.ts';
import { foldScene } from './language-features/folding.ts';
import { formatScene } from './language-features/format.ts';
import { hoverAt, signatureAt } from './language-features/hover.ts';
import { tokenizeLine } from './language-features/tokens.ts';
import { createProjectIndex } from './project-index/project-facts.ts';
import { renameSymbol, symbolAt } from './project-index/symbols.ts';
import { summarizeScene } from './story/outline.ts';
import { findSyntaxError, scanExpression } from './syntax/expression.ts';

function indexWith(text: string) {
  const index = createProjectIndex();
  index.setFiles(['game/scene/start.txt', 'game/background/a.png', 'game/vocal/v1.wav']);
  index.setAnimationTable(text);
  index.setConfig(text);
  index.setScene('game/scene/start.txt', text);
  return index;
}

describe('hostile text', () => {
  test('never makes a rule throw, and every finding lies inside its line', () => {
    fc.assert(
      fc.property(wild, (text) => {
        const index = indexWith(text);
        const lines = text.replace(/^\ufeff/, '').split('\n');
        for (const found of diagnoseProject(index, { locale: 'en' })) {
          expect(found.column).toBeGreaterThanOrEqual(1);
          expect(found.endColumn).toBeGreaterThanOrEqual(found.column);
          if (found.path !== 'game/scene/start.txt' || found.code === 'unreachable-scene') continue;
          expect(found.endColumn).toBeLessThanOrEqual(Math.max(1, (lines[found.line - 1] ?? '').length) + 1);
          for (const edit of found.fixes?.flatMap((fix) => fix.edits) ?? []) {
            expect(edit.column).toBeGreaterThanOrEqual(1);
            expect(edit.endColumn).toBeGreaterThanOrEqual(edit.column);
          }
        }
      }),
      { numRuns: toRuns(1500) },
    );
  });

  test('yields after edits in any order the findings of a new index', () => {
    fc.assert(
      fc.property(wild, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 5 }), wild), { maxLength: 5 }), (start, edits) => {
        let text = start;
        const index = indexWith(start);
        for (const [at, removed, inserted] of edits) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + inserted + text.slice(from + removed);
          index.setScene('game/scene/start.txt', text);
          // Fills the caches.
          if (at % 3 > 0) diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' });
        }
        const fresh = indexWith(start);
        fresh.removeScene('game/scene/start.txt');
        fresh.setScene('game/scene/start.txt', text);
        expect(diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' })).toEqual(
          diagnoseScene(fresh, 'game/scene/start.txt', { locale: 'en' }),
        );
      }),
      { numRuns: toRuns(400) },
    );
  });

  test('yields after typing the findings of a new index', () => {
    const scene = [
      'setVar:hp=1;',
      'end;',
      'A:never said;',
      'changeBg:nothing.png;',
      '小雪:你好，{name};',
      'B:see -when=hp>0;',
      'B:on the left // later;',
      ';@ignore slash-comment',
      'bare # line',
      'setVar:name=x;',
    ];
    const typed = fc.constantFrom(
      'x',
      '雨',
      ' ',
      '//',
      ' // ',
      '[',
      ']',
      '{hp}',
      ' -',
      '：',
      ':',
      '|',
      '\r',
      '\n',
      'none',
      '\\;',
    );
    fc.assert(
      fc.property(
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), typed), { maxLength: 12 }),
        (ending, edits) => {
          let text = scene.join(ending);
          const index = indexWith(text);
          for (const [at, removed, inserted] of edits) {
            const from = at % (text.length + 1);
            text = text.slice(0, from) + inserted + text.slice(from + removed);
            index.setScene('game/scene/start.txt', text);
            const fresh = indexWith(scene.join(ending));
            fresh.removeScene('game/scene/start.txt');
            fresh.setScene('game/scene/start.txt', text);
            expect(diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' })).toEqual(
              diagnoseScene(fresh, 'game/scene/start.txt', { locale: 'en' }),
            );
          }
        },
      ),
      { numRuns: toRuns(300) },
    );
  });

  test('marks an unreachable line as a whole, also when it grows', () => {
    const index = indexWith('end;\nA:x;');
    const range = () =>
      diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' })
        .filter((found) => found.code === 'unreachable')
        .map((found) => [found.column, found.endLine, found.endColumn]);
    expect(range()).toEqual([[1, 2, 5]]);
    index.setScene('game/scene/start.txt', 'end;\nA:x and more;');
    expect(range()).toEqual([[1, 2, 14]]);
  });

  test('keeps findings and fixes in position around a carriage return within a line', () => {
    const text = 'A:x\r\r\n\rcha\rngebg:a.p\rng -nxt;\r\nend;';
    const index = indexWith(text);
    const found = diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' });
    expect(found.map(({ code, line, column, endColumn }) => [code, line, column, endColumn])).toEqual([
      ['missing-semicolon', 1, 3, 4],
      ['command-case', 2, 1, 11],
    ]);
    const edits = found.flatMap((each) => each.fixes?.[0]?.edits ?? []);
    expect(applyEdits(text, edits)).toBe('A:x;\r\r\nchangeBg:a.p\rng -nxt;\r\nend;');
  });

  test('treats names of Object properties like any other', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    const text = names
      .flatMap((name) => [
        `label:${name};`,
        `${name}:x;`,
        `changeFigure:a.png -id=${name};`,
        `A:{${name}.x} -when=${name}>1;`,
        `jumpLabel:${name} -when=a>1;`,
        `callScene:${name}.txt;`,
        `setAnimation:${name} -target=${name};`,
        `getUserInput:${name} -${name}=${name};`,
        `choose:x:${name}|y:${name}.txt;`,
      ])
      .join('\n');
    const index = createProjectIndex();
    index.setFiles(['game/scene/start.txt', ...names.map((name) => `game/scene/${name}.txt`)]);
    index.setScene('game/scene/start.txt', text);
    for (const name of names) index.setScene(`game/scene/${name}.txt`, 'callScene:start.txt;');
    const codes = new Set(diagnoseProject(index, { locale: 'en' }).map((found) => found.code));
    expect([...codes].filter((code) => /missing-(label|scene)|duplicate|unknown-target/.test(code))).toEqual([]);
    expect(codes).toContain('recursive-call');
  });

  test('supports more findings in a scene, and options in a menu, than a call takes arguments', () => {
    const most = 130_000;
    const index = indexWith(`${'b\n'.repeat(most)}choose:${'|'.repeat(most)}`);
    const found = diagnoseProject(index, { locale: 'en' });
    expect(found.filter((each) => each.code === 'missing-semicolon')).toHaveLength(most + 1);
  });

  test('reports at most forty findings per line', () => {
    const index = indexWith(`changeBg:bg.webp${Array.from({ length: 100 }, (_, at) => ` -odd${at}`).join('')};`);
    const found = diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' });
    expect(found.filter((each) => each.code === 'unknown-argument')).toHaveLength(40);
  });

  test('evaluates expressions of any shape', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab1.()[]!=<>&|+-*/%?:,"\' 好'), maxLength: 40 }), (text) => {
        const tokens = scanExpression(text);
        let from = 0;
        for (const token of tokens) {
          expect(token.start).toBeGreaterThanOrEqual(from);
          expect(text.slice(token.start, token.end)).toBe(token.text);
          from = token.end;
        }
        findSyntaxError(tokens);
      }),
      { numRuns: toRuns(1000) },
    );
  });
});

/** Large enough that an algorithm of quadratic time exceeds the limit of the test. */
describe('large text', () => {
  const readEverything = (text: string) => {
    const index = indexWith('');
    index.setScene('game/scene/start.txt', text);
    diagnoseProject(index, { locale: 'en' });
    summarizeScene(index, 'game/scene/start.txt');
    formatScene(text);
    foldScene(index.scene('game/scene/start.txt')?.records ?? []);
    for (const column of [1, 9, 1 + (text.length >> 1)]) {
      const place = { path: 'game/scene/start.txt', line: 1, column };
      completionsAt(index, place, 'en');
      hoverAt(index, place, 'en');
      signatureAt(index, place, 'en');
      const found = symbolAt(index, place);
      if (found !== null) renameSymbol(index, found.symbol, 'renamed');
    }
    return index;
  };

  test.each([
    ['a line of two million characters', () => 'x'.repeat(2_000_000)],
    ['a line of colons', () => ':'.repeat(1_000_000)],
    ['a line of bars in a menu', () => `choose:${'a:b|'.repeat(50_000)}`],
    ['bars in brackets', () => `choose:(${'||'.repeat(20_000)}`],
    ['a line of arguments', () => `bgm:a.mp3${' -x'.repeat(50_000)}`],
    ['a line of brackets', () => `A:${'['.repeat(200_000)}`],
    ['a line of markup', () => `A:${'[a]('.repeat(50_000)}`],
    ['a line of braces', () => `A:${'{'.repeat(200_000)}`],
    ['deep brackets in a condition', () => `A:x -when=${'('.repeat(100_000)}`],
    ['deep brackets in a sum', () => `setVar:a=${'('.repeat(100_000)}1${')'.repeat(100_000)}`],
    ['deep JSON', () => `setTransform:${'['.repeat(50_000)} -target=fig-left`],
    ['markup that never closes', () => `A:${'[a](style=x'.repeat(30_000)}`],
    ['as many names as lines', () => Array.from({ length: 20_000 }, (_, line) => `Anna${line}:x;`).join('\n')],
    ['one repeated label', () => 'label:a;\n'.repeat(20_000)],
    ['distinct labels', () => Array.from({ length: 20_000 }, (_, line) => `label:l${line};`).join('\n')],
    [
      'jumps to missing labels',
      () => Array.from({ length: 10_000 }, (_, line) => `jumpLabel:nowhere${line};`).join('\n'),
    ],
    ['missing files', () => Array.from({ length: 10_000 }, (_, line) => `changeBg:nothing${line}.png;`).join('\n')],
    ['blank lines', () => '\n'.repeat(300_000)],
    ['carriage returns', () => 'A:b;\r'.repeat(100_000)],
    ['slashes', () => `A:${'/'.repeat(1_000_000)}`],
    ['semicolons', () => ';'.repeat(1_000_000)],
    ['escaped semicolons', () => 'A:\\;'.repeat(200_000)],
    ['blanks', () => `${' '.repeat(1_000_000)}:x`],
    ['trailing blanks', () => `A:x${' '.repeat(1_000_000)}x`],
  ])('%s', (_, make) => {
    const text = make();
    expect(readEverything(text).scene('game/scene/start.txt')?.text).toBe(text);
  });

  test('highlights a long line', () => {
    for (const text of [
      `A:${'[a]('.repeat(4_000)}`,
      `choose:${'a:b|'.repeat(4_000)}`,
      `A:${'{'.repeat(19_000)}`,
      'x'.repeat(10_000_000),
    ]) {
      expect(tokenizeLine(text).length).toBeGreaterThan(0);
    }
  });
});
