import { describe, expect, test } from 'vitest';
import { diagnoseScene } from '../diagnose.ts';
import { isCertainlyFixable } from '../fix-all.ts';
import { hoverAt } from '../hover.ts';
import { createProjectIndex } from '../project-facts.ts';

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
  ])('%s', (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test('a label that stands there again and again is named once, with the first few of its places', () => {
    const found = find(`${'label:x;\n'.repeat(100_000)}A:hi;\njumpLabel:x;`);
    expect(found.map(({ code, line, related }) => [code, line, related?.map((other) => other.line)])).toEqual([
      ['duplicate-label', 1, [2, 3, 4, 5, 6]],
    ]);
  });
});

describe('what is said is what the engine does', () => {
  test('random within a sum', () => {
    expect(message('setVar:a=random(1,6)+1;\nend;', 'unknown-function')).toBe(
      'random(…) works only as the whole value of a setVar, not within a sum: the variable becomes empty.',
    );
    expect(message('setVar:a=max(1,6);\nend;', 'unknown-function')).toBe(
      'Only random() can be called; there is no max(): the variable loses its value.',
    );
  });

  test('a variable in a name of a file or a label', () => {
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

  test('behind a jump to whichever label the story goes on, and every label may be meant', () => {
    expect(codes('setVar:x=q;\nA:hi;\njumpLabel:{x};\nA:there;\nend;\nlabel:q;\nend;')).toEqual([]);
    expect(codes('setVar:x=q;\nA:hi;\njumpLabel:w{x};\nend;\nlabel:q;\nend;')).toEqual([]);
    expect(codes('A:hi;\nsetVar:x=q;\nlabel:q;\nchoose:{x}:r;\nlabel:r;\nend;')).toEqual(['unused-label']);
  });

  test('a figure taken off by an argument, and an argument where the file belongs', () => {
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

  test('a file is like another by its name, not by its ending', () => {
    expect(message('changeBg:no.png;\nend;', 'missing-file', ['game/background/夜.png'])).not.toContain('夜');
    expect(message('changeBg:gb.png;\nend;', 'missing-file', ['game/background/bg.png'])).toContain('bg.png');
    expect(message('changeBg:nigth.png;\nend;', 'missing-file', ['game/background/night.png'])).toContain('night.png');
  });

  test('commands of old engines are said to be that', () => {
    expect(message('setBgAni:shake;\nend;', 'unknown-command')).toContain(
      'belongs to an old engine; now it is setAnimation',
    );
  });

  test('a variable is set first where the story sets it first', () => {
    const index = createIndex('A:hi;\nchangeScene:z.txt;');
    index.setScene('game/scene/a.txt', 'setVar:hp=2;\nend;');
    index.setScene('game/scene/z.txt', 'setVar:hp=1;\nA:{hp};\nchangeScene:a.txt;');
    const hover = hoverAt(index, { path: 'game/scene/a.txt', line: 1, column: 8 }, 'en');
    expect(hover?.text).toContain('First set in line 1 of z');
  });

  test('text that a blank and a hyphen cut off is for her to mend', () => {
    expect(find('A:5 - 3;\nend;').map((found) => [found.code, isCertainlyFixable(found)])).toEqual([
      ['dash-in-text', false],
    ]);
  });
});
