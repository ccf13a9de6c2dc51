import { expect, test } from 'vitest';
import { toMapEdge, toMapNode } from '../../../tests/support/window/map-parts.ts';
import { layOutPlainly } from './lay-out-plainly.ts';
import { layOutStory } from './lay-out-story.ts';
import { NODE, type PlacedMap, type PlacedNode } from './placed-map.ts';
import type { MapEdge, StoryMap } from './story-map.ts';

const map = (names: string[], edges: MapEdge[]): StoryMap => ({ detail: 'scenes', nodes: names.map(toMapNode), edges });

const overlap = (one: PlacedNode, other: PlacedNode) =>
  Math.abs(one.x - other.x) < NODE.width && Math.abs(one.y - other.y) < NODE.height;
const overlappingNodes = ({ nodes }: PlacedMap) =>
  nodes.flatMap((one, index) => nodes.slice(index + 1).filter((other) => overlap(one, other)));
/** Returns pairs of overlapping edge labels, and labels that overlap a node. */
const overlappingLabels = ({ ways, nodes }: PlacedMap) => {
  const labels = ways.flatMap(({ label }) => label ?? []);
  const onOther = labels.flatMap((one, index) =>
    labels
      .slice(index + 1)
      .filter(
        (other) =>
          Math.abs(one.x - other.x) * 2 < one.width + other.width &&
          Math.abs(one.y - other.y) * 2 < one.height + other.height,
      ),
  );
  const onBox = labels.filter((label) =>
    nodes.some(
      ({ x, y }) =>
        Math.abs(label.x - x - NODE.width / 2) * 2 < label.width + NODE.width &&
        Math.abs(label.y - y - NODE.height / 2) * 2 < label.height + NODE.height,
    ),
  );
  return [...onOther, ...onBox];
};

test('lays the story out to the right and connects the sides of nodes', () => {
  const placed = layOutStory(
    map(
      ['a', 'b', 'c'],
      [
        toMapEdge('a', 'b', ['left', 'if x>1']),
        toMapEdge('a', 'c', ['right']),
        toMapEdge('b', 'c'),
        toMapEdge('c', 'a', ['again']),
      ],
    ),
  );
  const [a, b, c] = placed.nodes as [PlacedNode, PlacedNode, PlacedNode];
  expect([a.x < b.x, b.x < c.x, placed.isPlain]).toEqual([true, true, false]);
  const [left, , , again] = placed.ways;
  expect(left?.label?.rows).toEqual([
    { text: 'left', isQuiet: false },
    { text: 'if x>1', isQuiet: true },
  ]);
  expect([left?.points[0], left?.points.at(-1)]).toEqual([
    { x: a.x + NODE.width, y: a.y + NODE.height / 2 },
    { x: b.x, y: b.y + NODE.height / 2 },
  ]);
  // The back edge of the loop leaves at the left and arrives at the right.
  expect([again?.points[0]?.x, again?.points.at(-1)?.x]).toEqual([c.x, a.x + NODE.width]);
  expect([overlappingNodes(placed), overlappingLabels(placed)]).toEqual([[], []]);
});

test('places the start at the left, also with other entry points', () => {
  const others = ['x', 'y', 'z'];
  const placed = layOutStory(
    map(
      ['start', 'end', ...others],
      [toMapEdge('start', 'end'), toMapEdge('x', 'y'), toMapEdge('y', 'z'), toMapEdge('z', 'end')],
    ),
  );
  expect(Math.min(...placed.nodes.map(({ x }) => x))).toBe(24);
  expect(placed.nodes[0]?.x).toBe(24);
});

test('handles a self-loop, names of object members, and an empty story', () => {
  const placed = layOutStory(
    map(['a', '__proto__', 'constructor'], [toMapEdge('a', 'a', ['again']), toMapEdge('a', '__proto__')]),
  );
  const [self] = placed.ways;
  expect(self?.points.every(({ x }) => x >= (placed.nodes[0]?.x ?? 0) + NODE.width)).toBe(true);
  expect(placed.nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  expect(overlappingNodes(placed)).toEqual([]);
  expect(layOutStory(map([], []))).toEqual({
    detail: 'scenes',
    nodes: [],
    ways: [],
    width: 0,
    height: 0,
    isPlain: false,
  });
});

test('lays out 150 scenes with 400 edges without overlapping nodes or labels', () => {
  const names = Array.from({ length: 150 }, (_, index) => `scene-${index}`);
  const edges = Array.from({ length: 400 }, (_, index) => {
    const from = index % 150;
    return toMapEdge(`scene-${from}`, `scene-${Math.min(149, from + 1 + ((index * 7) % 9))}`, [`choice ${index}`]);
  });
  const placed = layOutStory(map(names, edges));
  expect([overlappingNodes(placed), overlappingLabels(placed)]).toEqual([[], []]);
});

test('lays out a hub with sixty returning edges as a column', () => {
  const places = Array.from({ length: 60 }, (_, index) => `place-${index}`);
  const placed = layOutStory(
    map(
      ['hub', ...places],
      places.flatMap((name) => [toMapEdge('hub', name, [`go to ${name}`]), toMapEdge(name, 'hub')]),
    ),
  );
  expect(placed.ways.length).toBe(60);
  expect(placed.width).toBeLessThan(4 * NODE.width);
  expect([overlappingNodes(placed), overlappingLabels(placed)]).toEqual([[], []]);
});

test('falls back to rows for a path of five thousand steps', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `s${index}`);
  const edges = names.slice(1).map((name, index) => toMapEdge(`s${index}`, name));
  const placed = layOutStory(map(names, edges));
  expect([placed.isPlain, placed.nodes.length, placed.ways.length]).toEqual([true, 5000, 4999]);
  const last = 24 + 39 * (NODE.width + 72);
  expect([39, 40, 79, 4999].map((at) => [placed.nodes[at]?.x, placed.nodes[at]?.y])).toEqual([
    [last, 24],
    [last, 24 + NODE.height + 20],
    [24, 24 + NODE.height + 20],
    [last, 24 + 124 * (NODE.height + 20)],
  ]);
});

test('places rows without overlaps and inside the bounds', () => {
  const names = Array.from({ length: 90 }, (_, index) => `s${index}`);
  const placed = layOutPlainly(map(names, []), []);
  expect(overlappingNodes(placed)).toEqual([]);
  expect(placed.nodes.every(({ x, y }) => x + NODE.width < placed.width && y + NODE.height < placed.height)).toBe(true);
});
