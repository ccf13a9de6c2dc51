import { expect, test } from 'vitest';
import { toArgumentLines } from './to-argument-lines.ts';

const toLines = (args: unknown) => toArgumentLines(args, (count) => `${count} characters`);

test('formats paths, values, lists, and texts by their length', () => {
  expect(
    toLines({ path: 'a.txt', content: { characters: 12 }, dryRun: true, globs: ['a', 'b'], deep: { x: 1 } }),
  ).toEqual([
    { name: 'path', text: 'a.txt', isPlace: true, isTelling: false },
    { name: 'content', text: '12 characters', isPlace: false, isTelling: false },
    { name: 'dryRun', text: 'true', isPlace: false, isTelling: false },
    { name: 'globs', text: 'a, b', isPlace: false, isTelling: false },
    { name: 'deep', text: '{"x":1}', isPlace: false, isTelling: false },
  ]);
});

test('marks search terms and script names as distinguishing', () => {
  const telling = (args: unknown) => toLines(args).flatMap(({ text, isTelling }) => (isTelling ? [text] : []));
  expect(telling({ scriptName: 'build', args: { entries: 2 } })).toEqual(['build']);
  expect(telling({ query: '雨夜', path: 'game/scene' })).toEqual(['雨夜']);
  expect(telling({ find: { characters: 300 }, mode: 'append' })).toEqual([]);
});

test.each([[null], ['text'], [[1]], [undefined], [7]])('returns no lines for %j', (args) => {
  expect(toLines(args)).toEqual([]);
});
