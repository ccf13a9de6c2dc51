import { describe, expect, test } from 'vitest';
import { hoverAt } from '../language-features/hover.ts';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { diagnoseScene } from './diagnose.ts';
import { isCertainlyFixable } from './fix-all.ts';

const PATH = 'game/scene/start.txt';

function createIndex(text: string, files: readonly string[] = []) {
  const index = createProjectIndex({ engineVersion: '4.5.18' });
  index.setFiles([PATH, ...files]);
  index.setScene(PATH, text);
  return index;
}

const find = (text: string, files?: readonly string[]) =>
  diagnoseScene(createIndex(text, files), PATH, { locale: 'en' });
const codes = (text: string) => find(text).map(({ code }) => code);
const message = (text: string, code: string, files?: readonly string[]) =>
  find(text, files).find((found) => found.code === code)?.message;

describe('one mistake is one finding', () => {
  test.each([
    ['setVar:a=1;\nchoose:(a>0) ->甲:q;\nlabel:q;\nend;', ['choose-arrow-space', 'unused-label']],
    ['choose:A - B:q;\nlabel:q;\nend;', ['choose-dash', 'unused-label']],
    ['setVar:n=Jean-Luc;\nend;', ['setvar-text']],
    ['setVar:n=a/b;\nend;', ['setvar-text']],
    ['setVar:a=a/b;\nend;', ['setvar-text']],
    ['callScene:start.txt;\nend;', ['recursive-call']],
    ['playmusic:x.ogg;\nend;', ['unknown-command']],
    ['wait: -5;\nA:hi;\nend;', ['wait-not-number']],
    ['A:hi;\nchangeScene:none;\nA:on;\nend;', ['missing-content']],
    ['A:hi;\nchangeScene:;\nA:on;\nend;', ['missing-content']],
    ['if: you want;\nend;', []],
    ['say:hi -speaker=Bob;\nend;', []],
    ['hi -clear;\nend;', []],
    ['say:hi;\nend;', ['first-speaker']],
    ['label:x;\nlabel:x;\nlabel:x;\nA:hi;\njumpLabel:x;', ['duplicate-label']],
  ])('in %s', (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test('for a repeated label, with its first few positions', () => {
    const found = find(`${'label:x;\n'.repeat(100_000)}A:hi;\njumpLabel:x;`);
    expect(found.map(({ code, line, related }) => [code, line, related?.map((other) => other.line)])).toEqual([
      ['duplicate-label', 1, [2, 3, 4, 5, 6]],
    ]);
  });
});

describe('messages describe what the engine does', () => {
  test('for random within a calculation', () => {
    expect(message('setVar:a=random(1,6)+1;\nend;', 'unknown-function')).toBe(
      'random(…) works only as the whole value of a setVar, not within a sum: the variable becomes empty.',
    );
    expect(message('setVar:a=max(1,6);\nend;', 'unknown-function')).toBe(
      'Only random() can be called; there is no max(): the variable loses its value.',
    );
  });

  test('for a variable in a file or label name', () => {
    const file = 'There is no variable x: the engine looks for a file with the characters {x} in its name';
    expect(message('changeBg:{x}.png;\nend;', 'unknown-interpolation')).toContain(file);
    expect(message('playEffect:{x}.mp3;\nend;', 'unknown-interpolation')).toContain(file);
    expect(message('A:hi;\njumpLabel:{x};\nend;', 'unknown-interpolation')).toContain(
      'a label with the characters {x}',
    );
    expect(message('A:{x};\nend;', 'unknown-interpolation')).toBe(
      'There is no variable x: the player sees the characters {x}.',
    );
  });

  test('for a jump to a label from a variable, which makes every label used', () => {
    expect(codes('setVar:x=q;\nA:hi;\njumpLabel:{x};\nA:there;\nend;\nlabel:q;\nend;')).toEqual([]);
    expect(codes('setVar:x=q;\nA:hi;\njumpLabel:w{x};\nend;\nlabel:q;\nend;')).toEqual([]);
    expect(codes('A:hi;\nsetVar:x=q;\nlabel:q;\nchoose:{x}:r;\nlabel:r;\nend;')).toEqual(['unused-label']);
  });

  test('for a figure removed by an argument, and an argument in place of the file', () => {
    const files = ['game/figure/a.png'];
    expect(message('changeFigure:a.png -none;\nend;', 'misdocumented-argument', files)).toContain(
      'Write changeFigure:none.',
    );
    const [found] = find('changeFigure:-right -id=2;\nend;', files);
    expect([found?.code, found?.fixes?.[0]?.edits[0]?.newText, found && isCertainlyFixable(found)]).toEqual([
      'missing-file',
      'none -right',
      false,
    ]);
  });

  test('by comparing file names without extension', () => {
    expect(message('changeBg:no.png;\nend;', 'missing-file', ['game/background/夜.png'])).not.toContain('夜');
    expect(message('changeBg:gb.png;\nend;', 'missing-file', ['game/background/bg.png'])).toContain('bg.png');
    expect(message('changeBg:nigth.png;\nend;', 'missing-file', ['game/background/night.png'])).toContain('night.png');
  });

  test('for commands of old engines', () => {
    expect(message('setBgAni:shake;\nend;', 'unknown-command')).toContain(
      'belongs to an old engine; now it is setAnimation',
    );
  });

  test('by naming the first assignment in story order', () => {
    const index = createIndex('A:hi;\nchangeScene:z.txt;');
    index.setScene('game/scene/a.txt', 'setVar:hp=2;\nend;');
    index.setScene('game/scene/z.txt', 'setVar:hp=1;\nA:{hp};\nchangeScene:a.txt;');
    const hover = hoverAt(index, { path: 'game/scene/a.txt', line: 1, column: 8 }, 'en');
    expect(hover?.text).toContain('First set in line 1 of z');
  });

  test('without a certain fix for text cut off by a blank and a hyphen', () => {
    expect(find('A:5 - 3;\nend;').map((found) => [found.code, isCertainlyFixable(found)])).toEqual([
      ['dash-in-text', false],
    ]);
  });
});
