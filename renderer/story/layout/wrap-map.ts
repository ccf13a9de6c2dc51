import { MARGIN, NODE, type PlacedMap, type PlacedNode, type PlacedWay } from './placed-map.ts';
import type { Point } from './way-shape.ts';

/** Target ratio of width to height. */
const TARGET_RATIO = 1.6;
/** Minimum number of columns per band; a map with at most this many is not wrapped. */
const MIN_COLUMNS = 4;
/** Space between two bands for the edges that cross, and distance of an edge from a node; in pixels. */
const GUTTER_PX = 72;
const NODE_OFFSET_PX = 36;

interface Band {
  /** Bounds in the unwrapped map. */
  left: number;
  top: number;
  bottom: number;
  right: number;
}

/** Wraps a long map into bands of columns, one below the other, to approach the target ratio. */
export function wrapMap(map: PlacedMap): PlacedMap {
  const columns = [...new Set(map.nodes.map(({ x }) => Math.round(x)))].sort((one, other) => one - other);
  if (columns.length <= MIN_COLUMNS) return map;
  const heights = new Map<number, [top: number, bottom: number]>();
  for (const { x, y } of map.nodes) {
    const [top, bottom] = heights.get(Math.round(x)) ?? [y, y + NODE.height];
    heights.set(Math.round(x), [Math.min(top, y), Math.max(bottom, y + NODE.height)]);
  }
  let best = toBands(columns, heights, columns.length);
  for (let count = columns.length - 1; count >= MIN_COLUMNS; count -= 1) {
    const bands = toBands(columns, heights, count);
    if (distance(bands) < distance(best)) best = bands;
  }
  return best.length === 1 ? map : draw(map, best);
}

function toBands(columns: readonly number[], heights: ReadonlyMap<number, [number, number]>, count: number): Band[] {
  const bands: Band[] = [];
  for (let at = 0; at < columns.length; at += count) {
    const own = columns.slice(at, at + count);
    const reach = own.map((x) => heights.get(x) as [number, number]);
    bands.push({
      left: own[0] as number,
      right: (own.at(-1) as number) + NODE.width,
      top: Math.min(...reach.map(([top]) => top)),
      bottom: Math.max(...reach.map(([, bottom]) => bottom)),
    });
  }
  return bands;
}

function distance(bands: readonly Band[]): number {
  const width = Math.max(...bands.map(({ left, right }) => right - left));
  const height = bands.reduce((sum, { top, bottom }) => sum + bottom - top + GUTTER_PX, 0);
  return Math.abs(Math.log(width / height / TARGET_RATIO));
}

function draw(map: PlacedMap, bands: readonly Band[]): PlacedMap {
  const bandOf = (x: number) =>
    Math.max(
      0,
      bands.findLastIndex(({ left }) => left <= x + 1),
    );
  const nodeBands = new Map(map.nodes.map(({ id, x }) => [id, bandOf(x)]));
  const isWithin = ({ from, to }: PlacedWay) => nodeBands.get(from) === nodeBands.get(to);
  // Edges can extend above or below the nodes of their band.
  const reach = bands.map(({ top, bottom }) => ({ top, bottom }));
  const take = (at: number, top: number, bottom: number) => {
    const band = reach[at] as { top: number; bottom: number };
    band.top = Math.min(band.top, top);
    band.bottom = Math.max(band.bottom, bottom);
  };
  for (const way of map.ways) {
    if (way.label) take(bandOf(way.label.x), way.label.y - way.label.height / 2, way.label.y + way.label.height / 2);
    if (!isWithin(way)) continue;
    for (const { y } of way.points) take(nodeBands.get(way.from) as number, y, y);
  }
  let below = MARGIN;
  const shifts = bands.map(({ left }, at) => {
    const { top, bottom } = reach[at] as { top: number; bottom: number };
    const shift = {
      x: MARGIN + NODE_OFFSET_PX - left,
      y: below - top,
      gutter: below + bottom - top + GUTTER_PX / 2,
      above: below,
    };
    below += bottom - top + GUTTER_PX;
    return shift;
  });
  const shiftOf = (at: number) => shifts[at] as (typeof shifts)[number];
  const move = ({ x, y }: Point, at: number): Point => ({ x: x + shiftOf(at).x, y: y + shiftOf(at).y });
  const nodes: PlacedNode[] = map.nodes.map((node) => ({ ...node, ...move(node, nodeBands.get(node.id) as number) }));
  const ways = map.ways.map((way): PlacedWay => {
    const [from, to] = [nodeBands.get(way.from) as number, nodeBands.get(way.to) as number];
    const hasOwnRoom = way.label !== null && bandOf(way.label.x) === from;
    const label = way.label && hasOwnRoom ? { ...way.label, ...move(way.label, from) } : null;
    if (from === to) return { ...way, label, points: way.points.map((point) => move(point, from)) };
    return { ...way, label, points: cross(way, { from, to, label, shiftOf, move }) };
  });
  const right = Math.max(
    ...nodes.map(({ x }) => x + NODE.width),
    ...ways.map(({ points, label }) =>
      Math.max(
        label ? label.x + label.width / 2 : 0,
        points.reduce((most, { x }) => Math.max(most, x), 0),
      ),
    ),
  );
  return { ...map, nodes, ways, width: right + MARGIN, height: below - GUTTER_PX + MARGIN };
}

interface Crossing {
  from: number;
  to: number;
  label: PlacedWay['label'];
  shiftOf(at: number): { gutter: number; above: number };
  move(point: Point, at: number): Point;
}

/** Routes between bands: out at the right, along the gutter above the target band, in from the left. */
function cross(way: PlacedWay, { from, to, label, shiftOf, move }: Crossing): Point[] {
  const [first, last] = [way.points[0] as Point, way.points.at(-1) as Point];
  const isForward = last.x > first.x;
  // A backward edge leaves at the left; between bands, every edge leaves at the right and arrives at the left.
  const start = move({ x: isForward ? first.x : first.x + NODE.width, y: first.y }, from);
  const end = move({ x: isForward ? last.x : last.x - NODE.width, y: last.y }, to);
  const gutter = to === 0 ? shiftOf(0).gutter : shiftOf(to - 1).gutter;
  const passed =
    label && isForward
      ? [
          { x: label.x - label.width / 2, y: label.y },
          { x: label.x + label.width / 2, y: label.y },
        ]
      : [];
  const out = Math.max(start.x, ...passed.map(({ x }) => x)) + NODE_OFFSET_PX;
  return [start, ...passed, { x: out, y: gutter }, { x: end.x - NODE_OFFSET_PX, y: gutter }, end];
}
