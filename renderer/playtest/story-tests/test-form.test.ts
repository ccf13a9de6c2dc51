import { expect, it } from 'vitest';
import { toForm, toTest, withOffer } from './test-form.ts';
import { toTestRows } from './test-rows.ts';

const toValue = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : text);
const REACHED = {
  ending: 'game/scene/good.txt',
  scenes: ['game/scene/start.txt', 'game/scene/good.txt'],
  variables: { love: 2, code: '007' },
};
const NEW = { name: ' Good ', choose: ['Stay', { text: 'Go', nth: 2 }], expect: {} };

it('writes what is ticked of the proposals, and values as they were or as they are typed', () => {
  const form = withOffer(toForm(NEW), REACHED, true);
  expect(toTest(form, toValue)).toEqual({
    ...{ name: 'Good', choose: ['Stay', { text: 'Go', nth: 2 }] },
    expect: { ending: 'good.txt', variables: [{ name: 'love', is: '>=', value: 2 }] },
  });
  const checks = form.checks.map((check) => ({
    ...check,
    isTicked: true,
    text: check.name === 'love' ? '3' : check.text,
  }));
  expect(toTest({ ...form, checks }, toValue).expect.variables).toEqual([
    { name: 'love', is: '>=', value: 3 },
    { name: 'code', is: '==', value: '007' },
  ]);
});

it('keeps what a test of the file expects, and offers the rest unticked', () => {
  const test = {
    name: 'x',
    choose: [],
    expect: { ending: 'bad.txt', variables: [{ name: 'love', is: '<' as const, value: 9 }] },
  };
  const form = withOffer(toForm(test), REACHED, false);
  expect(toTest(form, toValue)).toEqual(test);
  expect(form.checks.map(({ name, isTicked }) => [name, isTicked])).toEqual([
    ['love', true],
    ['code', false],
  ]);
});

it('pairs tests with their results, also two of one name, and lists tests of a proposal that are not in the file', () => {
  const result = (name: string, line: number) => ({ name, place: { path: 'a', line }, picks: [], failure: null });
  const test = (name: string) => ({ name, choose: [], expect: {} });
  const results = [result('a', 1), result('a', 2), result('new', 3)];
  const toRows = (source: 'proposed' | 'unsaved') =>
    toTestRows([test('a'), test('b'), test('a')], { tests: results, request: { source, onlyTests: true } }).map(
      ({ name, at, result: found }) => [name, at, found?.place.line ?? null],
    );
  const inFile = [
    ['a', 0, 1],
    ['b', 1, null],
    ['a', 2, 2],
  ];
  expect(toRows('proposed')).toEqual([...inFile, ['new', null, 3]]);
  // Played from the disk: the test was removed since.
  expect(toRows('unsaved')).toEqual(inFile);
});
