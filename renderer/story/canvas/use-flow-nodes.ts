import { useMemo, useRef } from 'react';
import { useSlices } from '../../ui/list/use-slices.ts';
import { NODE, type PlacedMap, type PlacedNode } from '../layout/placed-map.ts';
import type { MapNode } from '../layout/story-map.ts';
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
  const before = useRef<ReadonlyMap<string, KnownNode>>(new Map());
  const nodes = useMemo(() => {
    const all = placed.nodes.map((placedNode) => {
      const { id } = placedNode;
      const marks = { isFound: found.has(id), isFocused: focused === id, isHere: here === id, isStop: stop === id };
      return toKnownNode(before.current.get(id), placedNode, marks);
    });
    before.current = new Map(all.map((known) => [known.placed.id, known]));
    return all.map(({ node }) => node);
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

/** A node for xyflow with the one it was made of. */
interface KnownNode {
  placed: PlacedNode;
  node: StoryFlowNode;
}

/** Converts a node for xyflow. Keeps the old object if nothing changed, so that it does not render again. */
export function toKnownNode(old: KnownNode | undefined, placed: PlacedNode, marks: NodeMarks): KnownNode {
  if (!old) return { placed, node: toFlowNode(placed, toContent(placed), marks) };
  const isMarked = isAlike(marks, toMarks(old.node.data));
  // A node is mostly the same object, or it comes from a new drawing and is compared in whole.
  if (old.placed === placed && isMarked) return old;
  const { node } = old.node.data;
  const content = toContent(placed);
  const isKept = old.placed === placed || isAlike(content, node);
  const isSamePlace = old.placed.x === placed.x && old.placed.y === placed.y;
  if (isKept && isSamePlace && isMarked) return { placed, node: old.node };
  const next = toFlowNode(placed, isKept ? node : content, marks);
  return { placed, node: isKept && isMarked ? { ...next, data: old.node.data } : next };
}

function toContent({ x: _x, y: _y, ...content }: PlacedNode): MapNode {
  return content;
}

function toMarks({ isFound, isFocused, isHere, isStop }: StoryNodeData): NodeMarks {
  return { isFound, isFocused, isHere, isStop };
}

function toFlowNode({ id, x, y }: PlacedNode, node: MapNode, marks: NodeMarks): StoryFlowNode {
  return { id, type: 'story', position: { x, y }, ...NODE, data: { ...marks, node } };
}

const isAlike = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
