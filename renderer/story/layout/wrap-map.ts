import { MARGIN, NODE, type PlacedMap, type PlacedNode, type PlacedWay } from './placed-map.ts';
import type { Point } from './way-shape.ts';

/** Width over height that a map comes near to. */
const SHAPE = 1.6;
/** Fewer columns than this are never parted. */
const NARROWEST = 4;
/** Between two bands, for the ways from one to another; and how far a way stands off a box. In pixels. */
const GUTTER = 72;
const OFF = 36;

interface Band {
  /** Where it begins in the strip, and how far it reaches up and down there. */
  left: number;
  top: number;
  bottom: number;
  right: number;
}

/** Parts a long strip of columns into bands, one below the other, so that it is seen at a glance. */
export function wrapMap(map: PlacedMap): PlacedMap {
  const columns = [...new Set(map.nodes.map(({ x }) => Math.round(x)))].sort((one, other) => one - other);
  if (columns.length <= NARROWEST) return map;
  const heights = new Map<number, [top: number, bottom: number]>();
  for (const { x, y } of map.nodes) {
    const [top, bottom] = heights.get(Math.round(x)) ?? [y, y + NODE.height];
    heights.set(Math.round(x), [Math.min(top, y), Math.max(bottom, y + NODE.height)]);
  }
  let best = toBands(columns, heights, columns.length);
  for (let count = columns.length - 1; count >= NARROWEST; count -= 1) {
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
  const height = bands.reduce((sum, { top, bottom }) => sum + bottom - top + GUTTER, 0);
  return Math.abs(Math.log(width / height / SHAPE));
}

function draw(map: PlacedMap, bands: readonly Band[]): PlacedMap {
  const bandOf = (x: number) =>
    Math.max(
      0,
      bands.findLastIndex(({ left }) => left <= x + 1),
    );
  const nodeBands = new Map(map.nodes.map(({ id, x }) => [id, bandOf(x)]));
  const isWithin = ({ from, to }: PlacedWay) => nodeBands.get(from) === nodeBands.get(to);
  // A way may reach above or below the boxes of its band.
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
    const shift = { x: MARGIN + OFF - left, y: below - top, gutter: below + bottom - top + GUTTER / 2, above: below };
    below += bottom - top + GUTTER;
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
  return { ...map, nodes, ways, width: right + MARGIN, height: below - GUTTER + MARGIN };
}

interface Crossing {
  from: number;
  to: number;
  label: PlacedWay['label'];
  shiftOf(at: number): { gutter: number; above: number };
  move(point: Point, at: number): Point;
}

/** From one band to another: out on the right, along the gutter above the other band, in from the left. */
function cross(way: PlacedWay, { from, to, label, shiftOf, move }: Crossing): Point[] {
  const [first, last] = [way.points[0] as Point, way.points.at(-1) as Point];
  const isForward = last.x > first.x;
  // Back along the strip a way leaves on the left; between bands every way leaves on the right and comes in on the left.
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
  const out = Math.max(start.x, ...passed.map(({ x }) => x)) + OFF;
  return [start, ...passed, { x: out, y: gutter }, { x: end.x - OFF, y: gutter }, end];
}
