export interface Point {
  x: number;
  y: number;
}

/** The line through the points as SVG path data: it leaves and passes each point level, the story flowing sideways. */
export function toPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined || rest.length === 0) return '';
  let path = `M${round(first)}`;
  let last = first;
  for (const point of rest) {
    if (Math.abs(point.y - last.y) < 0.5) path += ` L${round(point)}`;
    else {
      const middle = (last.x + point.x) / 2;
      path += ` C${round({ x: middle, y: last.y })} ${round({ x: middle, y: point.y })} ${round(point)}`;
    }
    last = point;
  }
  return path;
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
