import { useMemo, useRef } from 'react';
import { useSlices } from '../../ui/use-slices.ts';
import { NODE, type PlacedMap, type PlacedNode } from '../layout/placed-map.ts';
import { isInRegion, useRegion } from '../use-region.ts';
import type { NodeMarks, StoryFlowNode, StoryNodeData } from './story-node.tsx';

/** So many boxes come into the page at a time. */
const SLICE = 8;

interface Marked {
  /** What a search found, and which of it stands in the middle. */
  found: ReadonlyMap<string, number | null>;
  focused: string | null;
  here: string | null;
  /** The box the Tab key stops at; it is always in the page. */
  stop: string | null | undefined;
}

/** The boxes near the part of the map in sight, for xyflow; a few more with each frame until all are there. */
export function useFlowNodes(
  placed: Pick<PlacedMap, 'nodes'>,
  { found, focused, here, stop }: Marked,
  isCulled: boolean,
): readonly StoryFlowNode[] {
  const before = useRef<ReadonlyMap<string, StoryFlowNode>>(new Map());
  const nodes = useMemo(() => {
    const all = placed.nodes.map((node) => {
      const old = before.current.get(node.id);
      return toFlowNode(old, node, {
        isFound: found.has(node.id),
        isFocused: focused === node.id,
        isHere: here === node.id,
        isStop: stop === node.id,
      });
    });
    before.current = new Map(all.map((node) => [node.id, node]));
    return all;
  }, [placed, found, focused, here, stop]);
  const region = useRegion(isCulled);
  const near = useMemo(() => {
    if (region === null) return nodes;
    return nodes.filter(({ id, position: { x, y } }) => {
      return id === stop || isInRegion(region, { left: x, top: y, right: x + NODE.width, bottom: y + NODE.height });
    });
  }, [nodes, region, stop]);
  return useSlices(near, SLICE);
}

/** The box as xyflow takes it: the very object of before where it says the same, for only others are drawn anew. */
export function toFlowNode(old: StoryFlowNode | undefined, node: PlacedNode, marks: NodeMarks): StoryFlowNode {
  const { x, y, ...said } = node;
  const isSaid = old !== undefined && isAlike(said, old.data.node);
  const data: StoryNodeData = { ...marks, node: isSaid ? old.data.node : said };
  const kept = old !== undefined && isAlike(data, old.data) ? old.data : data;
  if (old && kept === old.data && old.position.x === x && old.position.y === y) return old;
  return { id: node.id, type: 'story', position: { x, y }, ...NODE, data: kept };
}

const isAlike = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
