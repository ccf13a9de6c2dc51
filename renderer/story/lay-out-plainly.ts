import { MARGIN, type MeasuredWay, NODE, type PlacedMap } from './lay-out-story.ts';
import type { StoryMap } from './story-map.ts';
import type { Point } from './way-shape.ts';

const GAP = { x: 72, y: 20 } as const;
const COLUMNS = 40;

/** Boxes in reading order, row after row: what can be made of a story however deep it is. Linear. */
export function layOutPlainly({ detail, nodes }: StoryMap, ways: readonly MeasuredWay[]): PlacedMap {
  const step = { x: NODE.width + GAP.x, y: NODE.height + GAP.y };
  const placed = nodes.map((node, index) => ({
    ...node,
    x: MARGIN + (index % COLUMNS) * step.x,
    y: MARGIN + Math.floor(index / COLUMNS) * step.y,
  }));
  const places = new Map<string, Point>(placed.map((node) => [node.id, node]));
  return {
    detail,
    nodes: placed,
    ways: ways.map(({ way }) => {
      const [from, to] = [places.get(way.from) as Point, places.get(way.to) as Point];
      const isForward = to.x > from.x;
      return {
        ...way,
        label: null,
        points: [
          { x: from.x + (isForward ? NODE.width : 0), y: from.y + NODE.height / 2 },
          { x: to.x + (isForward ? 0 : NODE.width), y: to.y + NODE.height / 2 },
        ],
      };
    }),
    width: 2 * MARGIN + Math.min(nodes.length, COLUMNS) * step.x - GAP.x,
    height: 2 * MARGIN + Math.ceil(nodes.length / COLUMNS) * step.y - GAP.y,
    isPlain: true,
  };
}
