import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMapEdge, toMapNode } from '../../../tests/support/window/map-parts.ts';
import type { Chapter } from './chapters.ts';
import { foldStory, standsFor } from './fold-story.ts';
import { layOutStory } from './lay-out-story.ts';
import { NODE } from './placed-map.ts';
import type { MapWording, StoryMap } from './story-map.ts';
import { wrapMap } from './wrap-map.ts';

const wording: MapWording = {
  words: (count) => `${count}w`,
  lines: String,
  minutes: String,
  scenes: (count) => `${count}s`,
  others: 'others',
  call: 'call',
  separator: ', ',
  condition: (condition) => condition,
  mark: (mark) => mark,
};

const fold = (map: StoryMap, chapters: readonly Chapter[], open: readonly string[]) => {
  const stands = standsFor(map, chapters, new Set(open));
  return { stands, folded: foldStory(map, chapters, { stands, wording }) };
};

test('draws a folded chapter as one node with its counts', () => {
  const map: StoryMap = {
    detail: 'scenes',
    nodes: ['a', 'b1', 'b2', 'c'].map((id) => ({
      ...toMapNode(id),
      count: 10,
      marks: id.startsWith('b') ? [{ mark: 'ending' as const, text: 'Ending' }] : [],
    })),
    edges: [toMapEdge('a', 'b1', ['go']), toMapEdge('b1', 'b2'), toMapEdge('b2', 'c', ['on'])],
  };
  const chapters = [
    { id: 'B', title: 'b', members: ['b1', 'b2'], parent: null, size: 2 },
    { id: 'A', title: '', members: ['a', 'c'], parent: null, size: 2 },
  ];
  const { folded } = fold(map, chapters, ['A']);
  expect(folded.nodes.map(({ id, title, note, chapter, marks }) => [id, title, note, chapter, marks[0]?.text])).toEqual(
    [
      ['a', 'a', '', 'A', undefined],
      ['B', 'b', '2s · 20w', undefined, 'ending 2'],
      ['c', 'c', '', 'A', undefined],
    ],
  );
  expect(folded.edges.map(({ from, to, lines }) => [from, to, ...lines])).toEqual([
    ['a', 'B', 'go'],
    ['B', 'c', 'on'],
  ]);
  const all = fold(map, chapters, []).folded;
  expect(all.nodes.map(({ title }) => title)).toEqual(['others', 'b']);
  expect(all.edges.map(({ from, to, lines }) => [from, to, lines.length])).toEqual([
    ['A', 'B', 0],
    ['B', 'A', 0],
  ]);
});

/** Generates any graph, including cycles and self-loops, with any chapters, some of them open. */
const stories = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    edges: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 120 }),
    chapters: fc.array(fc.nat(6), { minLength: count, maxLength: count }),
    open: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
  }),
);

test('maps every node to exactly one drawn node and keeps every edge between two of them', () => {
  fc.assert(
    fc.property(stories, ({ count, edges, chapters, open }) => {
      const ids = Array.from({ length: count }, (_, at) => `n${at}`);
      const map: StoryMap = {
        detail: 'scenes',
        nodes: ids.map(toMapNode),
        edges: edges.map(([from, to], at) => ({ ...toMapEdge(`n${from}`, `n${to}`), id: `e${at}` })),
      };
      const groups = [...new Set(chapters)].map((one) => ({
        id: `c${one}`,
        title: `${one}`,
        members: ids.filter((_, at) => chapters[at] === one),
        parent: one < 3 ? 'outer' : null,
        size: 1,
      }));
      // Some chapters are nested in one that may be open.
      const members = groups.filter(({ parent }) => parent !== null).flatMap((group) => group.members);
      if (members.length > 0) groups.unshift({ id: 'outer', title: 'outer', members, parent: null, size: 3 });
      const { stands, folded } = fold(map, groups, [
        ...open.map((one) => `c${one}`),
        ...(open.includes(5) ? ['outer'] : []),
      ]);
      const drawn = folded.nodes.flatMap(({ id, folded: members }) => members ?? [id]);
      expect(drawn.toSorted()).toEqual(ids.toSorted());
      const kept = new Map(folded.edges.map((edge) => [edge.id, edge]));
      for (const { id, from, to } of map.edges) {
        const [start, end] = [stands.get(from), stands.get(to)];
        const isInside = start === end && start !== from;
        expect(kept.get(id) && [kept.get(id)?.from, kept.get(id)?.to]).toEqual(isInside ? undefined : [start, end]);
      }
      const placed = wrapMap(layOutStory(folded));
      expect(placed.nodes.length).toBe(folded.nodes.length);
      for (const [at, one] of placed.nodes.entries()) {
        expect(
          one.x >= 0 && one.y >= 0 && one.x + NODE.width <= placed.width && one.y + NODE.height <= placed.height,
        ).toBe(true);
        for (const other of placed.nodes.slice(at + 1)) {
          expect(Math.abs(one.x - other.x) < NODE.width && Math.abs(one.y - other.y) < NODE.height).toBe(false);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('wraps a long chain into rows and keeps every edge between its nodes', () => {
  const ids = Array.from({ length: 40 }, (_, at) => `s${at}`);
  const edges = ids.slice(1).map((id, at) => toMapEdge(`s${at}`, id, ['next']));
  const placed = wrapMap(layOutStory({ detail: 'scenes', nodes: ids.map(toMapNode), edges }));
  expect(placed.width / placed.height).toBeGreaterThan(1);
  expect(placed.width / placed.height).toBeLessThan(3);
  const byId = new Map(placed.nodes.map((node) => [node.id, node]));
  for (const { from, to, points } of placed.ways) {
    const [start, end] = [byId.get(from), byId.get(to)];
    expect(points[0]).toEqual({ x: (start?.x ?? 0) + NODE.width, y: (start?.y ?? 0) + NODE.height / 2 });
    expect(points.at(-1)).toEqual({ x: end?.x, y: (end?.y ?? 0) + NODE.height / 2 });
  }
});
