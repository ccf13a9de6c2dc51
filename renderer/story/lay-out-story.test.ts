import { expect, test } from 'vitest';
import { layOutStory, NODE, type PlacedNode, toArrow, toPath } from './lay-out-story.ts';
import type { MapEdge, MapNode, StoryMap } from './story-map.ts';

const node = (id: string): MapNode => ({ id, path: `${id}.txt`, line: 1, title: id, opening: '', note: '', marks: [] });
const way = (from: string, to: string, lines: string[] = []): MapEdge => ({
  id: `${from}-${to}-${lines.join()}`,
  from,
  to,
  path: `${from}.txt`,
  line: 1,
  kind: 'choose',
  lines,
});
const map = (names: string[], edges: MapEdge[]): StoryMap => ({ detail: 'scenes', nodes: names.map(node), edges });

const overlap = (one: PlacedNode, other: PlacedNode) =>
  Math.abs(one.x - other.x) < NODE.width && Math.abs(one.y - other.y) < NODE.height;

test('the story flows down, boxes keep apart, every way has its own line and room for its words', () => {
  const placed = layOutStory(
    map(['a', 'b', 'c'], [way('a', 'b', ['left']), way('a', 'b', ['right', 'if x>1']), way('b', 'c'), way('c', 'a')]),
  );
  const [a, b, c] = placed.nodes as [PlacedNode, PlacedNode, PlacedNode];
  expect([a.y < b.y, b.y < c.y]).toEqual([true, true]);
  expect(placed.edges.map(({ label }) => label?.lines ?? null)).toEqual([['left'], ['right', 'if x>1'], null, null]);
  const [left, right] = placed.edges.map(({ label }) => label);
  expect(Math.abs((left?.x ?? 0) - (right?.x ?? 0))).toBeGreaterThanOrEqual((left?.width ?? 0) / 2);
  // Back up to where the loop began: from the lower box to the upper.
  const back = placed.edges[3]?.points ?? [];
  expect([back[0]?.y === c.y || back[0]?.y === c.y + NODE.height, back.at(-1)?.y]).toEqual([true, a.y + NODE.height]);
});

test('the beginning stands at the top, whatever leads into the story from elsewhere', () => {
  const others = ['x', 'y', 'z'];
  const placed = layOutStory(
    map(['start', 'end', ...others], [way('start', 'end'), way('x', 'y'), way('y', 'z'), way('z', 'end')]),
  );
  expect(Math.min(...placed.nodes.map(({ y }) => y))).toBe(24);
  expect(placed.nodes[0]?.y).toBe(24);
});

test('a scene that leads to itself, one that leads nowhere, and none at all', () => {
  const placed = layOutStory(map(['a', 'b'], [way('a', 'a', ['again'])]));
  expect(placed.edges[0]?.points.length).toBeGreaterThan(1);
  expect(placed.nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  expect(layOutStory(map([], []))).toEqual({ detail: 'scenes', nodes: [], edges: [], width: 0, height: 0 });
});

test('a hundred and fifty scenes with four hundred ways are placed without one on the other', () => {
  const names = Array.from({ length: 150 }, (_, index) => `scene-${index}`);
  const edges = Array.from({ length: 400 }, (_, index) => {
    const from = index % 150;
    return way(`scene-${from}`, `scene-${Math.min(149, from + 1 + ((index * 7) % 9))}`, [`choice ${index}`]);
  });
  const { nodes } = layOutStory(map(names, edges));
  const clashes = nodes.flatMap((one, index) => nodes.slice(index + 1).filter((other) => overlap(one, other)));
  expect(clashes).toEqual([]);
});

test('lines and their heads', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 20 },
    { x: 0, y: 40 },
  ];
  expect(toPath(points)).toBe('M0,0 Q10,20 5,30 L0,40');
  expect(toArrow([points[0], { x: 0, y: 40 }] as typeof points)).toBe('M0,40 L-4,32 L4,32 Z');
  expect([toPath([]), toPath([{ x: 1, y: 1 }]), toArrow([])]).toEqual(['', '', '']);
});
