import { expect, test } from 'vitest';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { diagnoseProject, diagnoseScene } from './diagnose.ts';

const START = 'game/scene/start.txt';
const locale = 'en';

/** A story too large to be analysed between keystrokes: one read without value, and a missing ending. */
function openLarge() {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `label:l${from + at};\nA:hi;\njumpLabel:l${from + at} -when=a>1;`);
  const lines = ['setVar:a=1;', ...many(0, 3000), 'B:{hp};', ...many(3000, 5000), 'A:bye;'].join('\n').split('\n');
  const index = createProjectIndex();
  index.setScene('game/scene/two.txt', 'setVar:hp=1;\nchangeScene:start.txt;');
  index.setScene(START, lines.join('\n'));
  diagnoseProject(index, { locale });
  const see = (story?: 'at-hand') =>
    diagnoseScene(index, START, { locale, ...(story && { story }) }).map(({ line, code }) => [line, code]);
  return { index, lines, see };
}

test('returns a line’s findings immediately, and story findings at the current position of their lines', () => {
  const { index, lines, see } = openLarge();
  const before = [
    [9002, 'read-before-set'],
    [15003, 'no-ending'],
  ];
  expect([see(), see('at-hand')]).toEqual([before, before]);

  const more = lines.toSpliced(40, 0, 'label:new;', 'A:no end');
  index.setScene(START, more.join('\n'));
  index.setScene(START, more.toSpliced(-1, 0, 'jumpLabel:nowhere;').join('\n'));
  const expected = [
    [41, 'unused-label'],
    [42, 'missing-semicolon'],
    [9004, 'read-before-set'],
    [15005, 'missing-label'],
    [15006, 'no-ending'],
  ];
  expect([see('at-hand'), see()]).toEqual([expected, expected]);

  index.setScene(START, lines.toSpliced(5, 30).join('\n'));
  expect(see('at-hand').filter(([, code]) => code !== 'missing-label')).toEqual(
    see().filter(([, code]) => code !== 'missing-label'),
  );
});

test('updates story findings with the next full check', () => {
  const { index, lines, see } = openLarge();
  index.setScene(START, lines.with(0, 'setVar:hp=1;\nsetVar:a=1;').join('\n'));
  expect(see('at-hand')).toEqual([
    [9003, 'read-before-set'],
    [15004, 'no-ending'],
  ]);
  expect(
    diagnoseProject(index, { locale })
      .filter(({ path }) => path === START)
      .map(({ line, code }) => [line, code]),
  ).toEqual([[15004, 'no-ending']]);
  expect(see('at-hand')).toEqual([[15004, 'no-ending']]);
});

test('drops the story findings of a removed line', () => {
  const { index, lines, see } = openLarge();
  index.setScene(START, lines.toSpliced(9001, 1, 'label:other;').join('\n'));
  expect(see('at-hand')).toEqual([
    [9002, 'unused-label'],
    [15003, 'no-ending'],
  ]);
});

test('offers no line for a shorthand whose value it cannot read', () => {
  const index = createProjectIndex();
  for (const value of ['1 // note', '(1', '1.5.2', '1 +', 'a b', 'true']) {
    index.setScene(START, `setVar:hp=1;\nsetVar:hp+=${value};\nend;`);
    const found = diagnoseScene(index, START, { locale }).filter(({ code }) => code === 'setvar-shorthand');
    expect(found.map(({ fixes = [] }) => fixes)).toEqual([[]]);
  }
});

test('says of a name with blanks in braces what the engine does with it where it stands', () => {
  const index = createProjectIndex();
  const lines = ['A:{ hp };', 'changeScene:{ hp }.txt;', 'jumpLabel:{ hp };', 'getUserInput:{ hp };'];
  index.setScene(START, ['setVar:hp=1;', ...lines, 'end;'].join('\n'));
  const found = diagnoseScene(index, START, { locale }).filter(({ code }) => code === 'unknown-interpolation');
  expect(found.map(({ message }) => /the player sees|a file|a label|what the player types/.exec(message)?.[0])).toEqual(
    ['the player sees', 'a file', 'a label', 'what the player types'],
  );
});
