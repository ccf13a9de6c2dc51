export interface Point {
  x: number;
  y: number;
}

/** Larger vertical steps are straight, so that many edges of one node share a stem. In pixels. */
const MIN_STEEP_PX = 160;
/** Distance of the stem from the node, and radius of its corners; in pixels. */
const STEM_PX = 20;
const CORNER_PX = 12;

/** Returns SVG path data of a line that passes each point horizontally. */
export function toPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined || rest.length === 0) return '';
  let path = `M${round(first)}`;
  let last = first;
  for (const [index, point] of rest.entries()) {
    if (Math.abs(point.y - last.y) < 0.5) path += ` L${round(point)}`;
    else if (Math.abs(point.y - last.y) > MIN_STEEP_PX && Math.abs(point.x - last.x) > STEM_PX + CORNER_PX) {
      path += toStem(last, point, index === rest.length - 1 && index > 0);
    } else {
      const middle = (last.x + point.x) / 2;
      path += ` C${round({ x: middle, y: last.y })} ${round({ x: middle, y: point.y })} ${round(point)}`;
    }
    last = point;
  }
  return path;
}

/** Returns a horizontal, a vertical and a horizontal segment; the vertical one is near `to` if `isAtEnd`, else near `from`. */
function toStem(from: Point, to: Point, isAtEnd: boolean): string {
  const side = to.x > from.x ? 1 : -1;
  const down = to.y > from.y ? CORNER_PX : -CORNER_PX;
  const x = isAtEnd ? to.x - side * STEM_PX : from.x + side * STEM_PX;
  const corner = side * CORNER_PX;
  return [
    ` L${round({ x: x - corner, y: from.y })} Q${round({ x, y: from.y })} ${round({ x, y: from.y + down })}`,
    ` L${round({ x, y: to.y - down })} Q${round({ x, y: to.y })} ${round({ x: x + corner, y: to.y })} L${round(to)}`,
  ].join('');
}

/** Returns SVG path data of the arrow heads: at the end and, if `returns`, also at the start. */
export function toHeads(points: readonly Point[], returns: boolean): string {
  const [first, second] = points;
  const [before, last] = points.slice(-2);
  if (first === undefined || second === undefined || before === undefined || last === undefined) return '';
  const end = toHead(last, before);
  return returns ? `${end} ${toHead(first, second)}` : end;
}

function toHead(tip: Point, before: Point): string {
  const back = before.x < tip.x ? -8 : 8;
  return `M${round(tip)} L${round({ x: tip.x + back, y: tip.y - 4 })} L${round({ x: tip.x + back, y: tip.y + 4 })} Z`;
}

const round = ({ x, y }: Point) => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
