import { Graph, layout } from '@dagrejs/dagre';
import { bundleWays } from './bundle-ways.ts';
import { layOutPlainly } from './lay-out-plainly.ts';
import { measureWay } from './measure-way.ts';
import { MARGIN, type MeasuredWay, NODE, type PlacedMap } from './placed-map.ts';
import type { StoryMap } from './story-map.ts';
import type { Point } from './way-shape.ts';

/** Invisible root node that keeps the start of the story at the left. */
const ROOT = 'root';
/** From more nodes on, the faster ranking algorithm is used. */
const MAX_EXACT_RANKING_NODES = 400;
/** From more nodes on, dagre is too slow and the plain layout is used. */
const MAX_DAGRE_NODES = 1500;

/** Places every node and edge, from left to right. Never throws. */
export function layOutStory(map: StoryMap): PlacedMap {
  const ways = bundleWays(map.edges).map(measureWay);
  if (map.nodes.length > MAX_DAGRE_NODES) return layOutPlainly(map, ways);
  try {
    return layOutFlow(map, ways);
  } catch {
    // dagre recurses once per step of the longest path and can overflow the stack.
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
    ranker: nodes.length > MAX_EXACT_RANKING_NODES ? 'tight-tree' : 'network-simplex',
  });
  graph.setNode(ROOT, { width: 0, height: 0 });
  // dagre uses ids as keys of plain objects, where a scene named `__proto__` would break it.
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
  // Remove the space that the root node takes at the left.
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
  /** Width of the nodes or labels of each column, by its center x. */
  columns: ReadonlyMap<number, number>;
}

/** Routes from side to side, horizontally wherever the edge passes between labels or nodes. */
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

/** Routes a self-loop or an edge within a column along the right side. */
function routeBeside(between: readonly Point[], { from, to }: { from: Point; to: Point }): Point[] {
  const right = from.x + NODE.width;
  const reach = Math.max(right + 24, ...between.map(({ x }) => x));
  return [
    { x: right, y: from.y + NODE.height * 0.3 },
    { x: reach, y: (from.y + to.y) / 2 + NODE.height / 2 },
    { x: right, y: to.y + NODE.height * 0.7 },
  ];
}
