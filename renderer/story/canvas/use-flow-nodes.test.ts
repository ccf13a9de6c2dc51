import { expect, test } from 'vitest';
import type { PlacedNode } from '../layout/placed-map.ts';
import { toKnownNode } from './use-flow-nodes.ts';

const marks = { isFound: false, isFocused: false, isHere: false, isStop: false };
const node: PlacedNode = {
  ...{ id: 'a', path: 'game/scene/a.txt', line: 1, title: 'a', note: '', opening: '', marks: [], chapter: null },
  ...{ x: 10, y: 20 },
} as unknown as PlacedNode;

test('keeps the object identity of an unchanged node', () => {
  const first = toKnownNode(undefined, node, marks);
  expect(toKnownNode(first, node, { ...marks })).toBe(first);
  expect(toKnownNode(first, structuredClone(node), { ...marks }).node).toBe(first.node);
});

test('keeps the data of a moved node and replaces the data of a found or changed one', () => {
  const first = toKnownNode(undefined, node, marks);
  const { data } = first.node;
  const moved = toKnownNode(first, { ...node, x: 11 }, marks).node;
  expect([moved === first.node, moved.position.x, moved.data === data]).toEqual([false, 11, true]);
  const found = toKnownNode(first, node, { ...marks, isFound: true }).node.data;
  expect([found === data, found.node === data.node, found.isFound]).toEqual([false, true, true]);
  const changed = toKnownNode(first, { ...node, note: 'b' }, marks).node.data;
  expect([changed.node.note, changed.isFound]).toEqual(['b', false]);
});
