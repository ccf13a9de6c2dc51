import { useMemo, useRef } from 'react';
import { useSlices } from '../../ui/list/use-slices.ts';
import { NODE, type PlacedMap, type PlacedNode } from '../layout/placed-map.ts';
import { isInRegion, useRegion } from '../use-region.ts';
import type { NodeMarks, StoryFlowNode, StoryNodeData } from './story-node.tsx';

/** Nodes mounted per frame. */
const NODES_PER_FRAME = 8;

interface Marked {
  /** Search matches; `focused` is the centered one. */
  found: ReadonlyMap<string, number | null>;
  focused: string | null;
  here: string | null;
  /** Id of the tab stop node, which is always mounted. */
  stop: string | null | undefined;
}

/** Returns the nodes near the visible part for xyflow; adds a few per frame until all are mounted. */
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
  return useSlices(near, NODES_PER_FRAME);
}

/** Converts a node for xyflow. Returns the old object if nothing changed, so that it does not render again. */
export function toFlowNode(old: StoryFlowNode | undefined, node: PlacedNode, marks: NodeMarks): StoryFlowNode {
  const { x, y, ...said } = node;
  const isSaid = old !== undefined && isAlike(said, old.data.node);
  const data: StoryNodeData = { ...marks, node: isSaid ? old.data.node : said };
  const kept = old !== undefined && isAlike(data, old.data) ? old.data : data;
  if (old && kept === old.data && old.position.x === x && old.position.y === y) return old;
  return { id: node.id, type: 'story', position: { x, y }, ...NODE, data: kept };
}

const isAlike = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
