import { expect, test } from 'vitest';
import { toArgumentLines } from './to-argument-lines.ts';

const toLines = (args: unknown) => toArgumentLines(args, (count) => `${count} characters`);

test('places, figures, lists and texts by their length', () => {
  expect(
    toLines({ path: 'a.txt', content: { characters: 12 }, dryRun: true, globs: ['a', 'b'], deep: { x: 1 } }),
  ).toEqual([
    { name: 'path', text: 'a.txt', isPlace: true },
    { name: 'content', text: '12 characters', isPlace: false },
    { name: 'dryRun', text: 'true', isPlace: false },
    { name: 'globs', text: 'a, b', isPlace: false },
    { name: 'deep', text: '{"x":1}', isPlace: false },
  ]);
});

test.each([[null], ['text'], [[1]], [undefined], [7]])('%j holds no arguments', (args) => {
  expect(toLines(args)).toEqual([]);
});
