export interface Point {
  x: number;
  y: number;
}

/** A step up or down of more than this goes straight, so that sixty ways out of one box share a stem. In pixels. */
const STEEP = 160;
/** Of the stem from the box, and of its corners. */
const STEM = 20;
const CORNER = 12;

/** The line through the points as SVG path data: it leaves and passes each point level, the story flowing sideways. */
export function toPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined || rest.length === 0) return '';
  let path = `M${round(first)}`;
  let last = first;
  for (const [index, point] of rest.entries()) {
    if (Math.abs(point.y - last.y) < 0.5) path += ` L${round(point)}`;
    else if (Math.abs(point.y - last.y) > STEEP && Math.abs(point.x - last.x) > STEM + CORNER) {
      path += toStem(last, point, index === rest.length - 1 && index > 0);
    } else {
      const middle = (last.x + point.x) / 2;
      path += ` C${round({ x: middle, y: last.y })} ${round({ x: middle, y: point.y })} ${round(point)}`;
    }
    last = point;
  }
  return path;
}

/** Level, straight up or down, and level again; beside the box at whose end the step is. */
function toStem(from: Point, to: Point, isAtEnd: boolean): string {
  const side = to.x > from.x ? 1 : -1;
  const down = to.y > from.y ? CORNER : -CORNER;
  const x = isAtEnd ? to.x - side * STEM : from.x + side * STEM;
  const corner = side * CORNER;
  return [
    ` L${round({ x: x - corner, y: from.y })} Q${round({ x, y: from.y })} ${round({ x, y: from.y + down })}`,
    ` L${round({ x, y: to.y - down })} Q${round({ x, y: to.y })} ${round({ x: x + corner, y: to.y })} L${round(to)}`,
  ].join('');
}

/** The arrow heads of a line as SVG path data: where it ends and, if the story comes back along it, where it begins. */
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
