import { Graph, layout } from '@dagrejs/dagre';
import { bundleWays } from './bundle-ways.ts';
import { layOutPlainly } from './lay-out-plainly.ts';
import { measureWay } from './measure-way.ts';
import { MARGIN, type MeasuredWay, NODE, type PlacedMap } from './placed-map.ts';
import type { StoryMap } from './story-map.ts';
import type { Point } from './way-shape.ts';

/** Before everything and not shown: it holds the story's beginning at the left. */
const ROOT = 'root';
/** Above this many boxes the quicker way to rank them is good enough. */
const MANY = 400;
/** Above this many boxes the library takes longer than anyone waits. */
const MOST = 1500;

/** Gives every box and way its place, the story flowing to the right. Never throws. */
export function layOutStory(map: StoryMap): PlacedMap {
  const ways = bundleWays(map.edges).map(measureWay);
  if (map.nodes.length > MOST) return layOutPlainly(map, ways);
  try {
    return layOutFlow(map, ways);
  } catch {
    // The library calls itself once for each step of the longest way, and the stack is only so deep.
    return layOutPlainly(map, ways);
  }
}

function layOutFlow({ detail, nodes }: StoryMap, ways: readonly MeasuredWay[]): PlacedMap {
  if (nodes.length === 0) return { detail, nodes: [], ways: [], width: 0, height: 0, isPlain: false };
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: 'LR',
    nodesep: 20,
    edgesep: 12,
    ranksep: 72,
    marginx: MARGIN,
    marginy: MARGIN,
    ranker: nodes.length > MANY ? 'tight-tree' : 'network-simplex',
  });
  graph.setNode(ROOT, { width: 0, height: 0 });
  // The library keeps names as keys of plain objects, where a scene called `__proto__` would do harm.
  const keys = new Map(nodes.map(({ id }, index) => [id, String(index)]));
  const keyOf = (id: string) => keys.get(id) as string;
  for (const { id } of nodes) graph.setNode(keyOf(id), { ...NODE });
  const reached = new Set(ways.map(({ way }) => way.to));
  for (const [index, { id }] of nodes.entries()) {
    if (index === 0) graph.setEdge(ROOT, keyOf(id), { weight: 1000 });
    else if (!reached.has(id)) graph.setEdge(ROOT, keyOf(id), { weight: 1 });
  }
  for (const [index, { way, label }] of ways.entries()) {
    const { width = 0, height = 0 } = label ?? {};
    graph.setEdge(keyOf(way.from), keyOf(way.to), { width, height, labelpos: 'c' }, String(index));
  }
  layout(graph);
  const size = graph.graph();
  // What the root took at the left is given back.
  const left = Math.min(...nodes.map(({ id }) => (graph.node(keyOf(id)).x ?? 0) - NODE.width / 2)) - MARGIN;
  const placed = nodes.map((node) => {
    const { x = 0, y = 0 } = graph.node(keyOf(node.id));
    return { ...node, x: x - NODE.width / 2 - left, y: y - NODE.height / 2 };
  });
  const places = new Map(placed.map((node) => [node.id, node]));
  const columns = new Map(placed.map(({ x }) => [Math.round(x + NODE.width / 2), NODE.width as number]));
  for (const [index, { way, label }] of ways.entries()) {
    if (label === null) continue;
    const column = Math.round((graph.edge(keyOf(way.from), keyOf(way.to), String(index)).x ?? 0) - left);
    columns.set(column, Math.max(columns.get(column) ?? 0, label.width));
  }
  return {
    detail,
    nodes: placed,
    ways: ways.map(({ way, label }, index) => {
      const { points = [], x = 0, y = 0 } = graph.edge(keyOf(way.from), keyOf(way.to), String(index));
      const at = label && { ...label, x: x - left, y };
      const ends = { from: places.get(way.from) as Point, to: places.get(way.to) as Point };
      const between = points.slice(1, -1).map((point: Point) => ({ x: point.x - left, y: point.y }));
      return { ...way, points: route(between, { ...ends, columns }), label: at };
    }),
    width: (size.width ?? 0) - left,
    height: size.height ?? 0,
    isPlain: false,
  };
}

interface WayEnds {
  from: Point;
  to: Point;
  /** How wide what stands there is, boxes or words, by the middle of each column. */
  columns: ReadonlyMap<number, number>;
}

/** From the side of one box to the side of the other, level wherever it goes between words or boxes. */
function route(between: readonly Point[], { from, to, columns }: WayEnds): Point[] {
  const middle = NODE.height / 2;
  const isForward = to.x > from.x;
  const start = { x: from.x + (isForward ? NODE.width : 0), y: from.y + middle };
  const end = { x: to.x + (isForward ? 0 : NODE.width), y: to.y + middle };
  if (to.x === from.x) return routeBeside(between, { from, to });
  const side = isForward ? -1 : 1;
  const passed = between.flatMap((point) => {
    const width = columns.get(Math.round(point.x)) ?? 0;
    if (width === 0) return [point];
    return [
      { x: point.x + (side * width) / 2, y: point.y },
      { x: point.x - (side * width) / 2, y: point.y },
    ];
  });
  return [start, ...passed, end];
}

/** Back to itself: around the right side of the box. */
function routeBeside(between: readonly Point[], { from, to }: { from: Point; to: Point }): Point[] {
  const right = from.x + NODE.width;
  const reach = Math.max(right + 24, ...between.map(({ x }) => x));
  return [
    { x: right, y: from.y + NODE.height * 0.3 },
    { x: reach, y: (from.y + to.y) / 2 + NODE.height / 2 },
    { x: right, y: to.y + NODE.height * 0.7 },
  ];
}
