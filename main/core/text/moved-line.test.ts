import { expect, test } from 'vitest';
import { toMovedLine } from './moved-line.ts';

const text = (...lines: string[]) => lines.join('\n');
const SCENE = text('a', 'b', 'c', 'd');

test.each([
  ['the same text', SCENE, 3, 3],
  ['lines added above', text('x', 'y', 'a', 'b', 'c', 'd'), 3, 5],
  ['lines added below', text('a', 'b', 'c', 'd', 'x'), 3, 3],
  ['lines removed above', text('c', 'd'), 3, 1],
  ['a changed line', text('a', 'B', 'c', 'd'), 2, 2],
  ['a line that became two', text('a', 'B', 'B2', 'c', 'd'), 3, 4],
  ['a removed line', text('a', 'c', 'd'), 2, 2],
  ['all of it removed', '', 3, 1],
])('%s', (_, after, line, moved) => {
  expect(toMovedLine(SCENE, after, line)).toBe(moved);
});
