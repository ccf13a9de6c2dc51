import { expect, test } from 'vitest';
import type { PlacedNode } from '../layout/placed-map.ts';
import { toFlowNode } from './use-flow-nodes.ts';

const marks = { isFound: false, isFocused: false, isHere: false, isStop: false };
const node: PlacedNode = {
  ...{ id: 'a', path: 'game/scene/a.txt', line: 1, title: 'a', note: '', opening: '', marks: [], chapter: null },
  ...{ x: 10, y: 20 },
} as unknown as PlacedNode;

test('keeps the object identity of an unchanged node', () => {
  const first = toFlowNode(undefined, node, marks);
  expect(toFlowNode(first, structuredClone(node), { ...marks })).toBe(first);
});

test('keeps the data of a moved node and replaces the data of a found one', () => {
  const first = toFlowNode(undefined, node, marks);
  const moved = toFlowNode(first, { ...node, x: 11 }, marks);
  expect([moved === first, moved.position.x, moved.data === first.data]).toEqual([false, 11, true]);
  const found = toFlowNode(first, node, { ...marks, isFound: true });
  expect([found.data === first.data, found.data.node === first.data.node, found.data.isFound]).toEqual([
    false,
    true,
    true,
  ]);
});
