import { expect, test } from 'vitest';
import { toMapEdge, toMapNode } from '../../../tests/support/window/map-parts.ts';
import { layOutStory } from './lay-out-story.ts';
import { findNeighbours } from './map-neighbours.ts';

test('moves along edges with left and right, along the column with up and down, and lists edges of a node', () => {
  const neighbours = findNeighbours(
    layOutStory({
      detail: 'scenes',
      nodes: ['start', 'a', 'b', 'end', '__proto__'].map(toMapNode),
      edges: [
        toMapEdge('start', 'a', ['left']),
        toMapEdge('start', 'b', ['right']),
        toMapEdge('a', 'end'),
        toMapEdge('b', 'start'),
        toMapEdge('end', '__proto__'),
      ],
    }),
  );
  const column = (['up', 'down'] as const).map((direction) => [
    neighbours.toward('a', direction),
    neighbours.toward('b', direction),
  ]);
  expect(column.flat().sort()).toEqual(['a', 'b', null, null]);
  expect([
    neighbours.toward('a', 'left'),
    neighbours.toward('a', 'right'),
    neighbours.toward('end', 'right'),
    neighbours.toward('__proto__', 'right'),
    neighbours.toward('start', 'left'),
    neighbours.toward('nowhere', 'left'),
  ]).toEqual(['start', 'end', '__proto__', null, null, null]);
  expect([...neighbours.after('start')].sort()).toEqual(['a', 'b']);
  expect([...neighbours.before('start')]).toEqual(['b']);
  expect(neighbours.waysOf('a').map(({ from, to }) => [from, to])).toEqual([
    ['start', 'a'],
    ['a', 'end'],
  ]);
  expect([neighbours.waysOf('nowhere'), [...neighbours.after('nowhere')]]).toEqual([[], []]);
});
