import { MARGIN, type MeasuredWay, NODE, type PlacedMap } from './placed-map.ts';
import type { StoryMap } from './story-map.ts';
import type { Point } from './way-shape.ts';

const NODE_GAP = { x: 72, y: 20 } as const;
const COLUMNS_PER_ROW = 40;

/** Places nodes in reading order, in rows of alternating direction. Fallback for any size and depth. Linear. */
export function layOutPlainly({ detail, nodes }: StoryMap, ways: readonly MeasuredWay[]): PlacedMap {
  const step = { x: NODE.width + NODE_GAP.x, y: NODE.height + NODE_GAP.y };
  const placed = nodes.map((node, index) => {
    const [row, place] = [Math.floor(index / COLUMNS_PER_ROW), index % COLUMNS_PER_ROW];
    const column = row % 2 === 0 ? place : COLUMNS_PER_ROW - 1 - place;
    return { ...node, x: MARGIN + column * step.x, y: MARGIN + row * step.y };
  });
  const places = new Map<string, Point>(placed.map((node) => [node.id, node]));
  return {
    detail,
    nodes: placed,
    ways: ways.map(({ way }) => ({
      ...way,
      label: null,
      points: join(places.get(way.from) as Point, places.get(way.to) as Point),
    })),
    width: 2 * MARGIN + Math.min(nodes.length, COLUMNS_PER_ROW) * step.x - NODE_GAP.x,
    height: 2 * MARGIN + Math.ceil(nodes.length / COLUMNS_PER_ROW) * step.y - NODE_GAP.y,
    isPlain: true,
  };
}

/** Connects the facing sides; runs along the right side if both nodes are in the same column. */
function join(from: Point, to: Point): Point[] {
  const [start, end] = [from.y + NODE.height / 2, to.y + NODE.height / 2];
  const right = from.x + NODE.width;
  if (from.x === to.x) {
    return [
      { x: right, y: start },
      { x: right + MARGIN / 2, y: (start + end) / 2 },
      { x: right, y: end },
    ];
  }
  const isForward = to.x > from.x;
  return [
    { x: isForward ? right : from.x, y: start },
    { x: isForward ? to.x : to.x + NODE.width, y: end },
  ];
}
