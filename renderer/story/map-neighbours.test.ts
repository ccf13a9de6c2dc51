import { expect, test } from 'vitest';
import { layOutStory } from './lay-out-story.ts';
import { findNeighbours } from './map-neighbours.ts';
import type { MapEdge, MapNode } from './story-map.ts';

const node = (id: string): MapNode => ({
  id,
  path: `${id}.txt`,
  line: 1,
  endLine: 1,
  title: id,
  opening: '',
  note: '',
  marks: [],
});
const way = (from: string, to: string, lines: string[] = []): MapEdge => ({
  id: `${from}-${to}`,
  from,
  to,
  path: `${from}.txt`,
  line: 1,
  kind: 'choose',
  lines,
});

test('arrow keys follow the story sideways and the column up and down; the ways in and out are known', () => {
  const neighbours = findNeighbours(
    layOutStory({
      detail: 'scenes',
      nodes: ['start', 'a', 'b', 'end', '__proto__'].map(node),
      edges: [
        way('start', 'a', ['left']),
        way('start', 'b', ['right']),
        way('a', 'end'),
        way('b', 'start'),
        way('end', '__proto__'),
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
  expect(neighbours.waysOf('a').map(({ id }) => id)).toEqual(['start-a', 'a-end']);
  expect([neighbours.waysOf('nowhere'), [...neighbours.after('nowhere')]]).toEqual([[], []]);
});
