import { Graph, layout } from '@dagrejs/dagre';
import { estimateWidth, fitText } from './fit-text.ts';
import type { Detail, MapEdge, MapNode, StoryMap } from './story-map.ts';

export const NODE = { width: 220, height: 78 } as const;
export const EDGE_FONT = 11;
export const EDGE_LINE = 15;
const WIDEST_LABEL = 170;
/** Above everything and not shown: it holds the story's beginning at the top. No scene can be called that. */
const ROOT = ':root';
const MARGIN = 24;
/** Above this many boxes the quicker way to rank them is good enough. */
const MANY = 400;

export interface Point {
  x: number;
  y: number;
}

/** `x` and `y` are the upper left corner, in pixels. */
export type PlacedNode = MapNode & Point;

export interface PlacedEdge extends MapEdge {
  /** From border to border; at least two. */
  points: readonly Point[];
  /** What stands at it, cut to fit, and the middle of the room for it; null where nothing does. */
  label: (Point & { width: number; height: number; lines: readonly string[] }) | null;
}

export interface PlacedMap {
  detail: Detail;
  nodes: readonly PlacedNode[];
  edges: readonly PlacedEdge[];
  width: number;
  height: number;
}

/** Gives every box and way its place, the story flowing down. */
export function layOutStory({ detail, nodes, edges }: StoryMap): PlacedMap {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: 'TB',
    nodesep: 36,
    edgesep: 14,
    ranksep: 46,
    marginx: MARGIN,
    marginy: MARGIN,
    ranker: nodes.length > MANY ? 'tight-tree' : 'network-simplex',
  });
  graph.setNode(ROOT, { width: 0, height: 0 });
  for (const { id } of nodes) graph.setNode(id, { ...NODE });
  const reached = new Set(edges.map(({ to }) => to));
  for (const [index, { id }] of nodes.entries()) {
    if (index === 0) graph.setEdge(ROOT, id, { weight: 1000 });
    else if (!reached.has(id)) graph.setEdge(ROOT, id, { weight: 1 });
  }
  const labels = new Map<string, { width: number; height: number; lines: string[] }>();
  for (const { id, from, to, lines } of edges) {
    const fitting = lines.map((text) => fitText(text, WIDEST_LABEL, EDGE_FONT));
    const width = fitting.length === 0 ? 0 : Math.max(...fitting.map((text) => estimateWidth(text, EDGE_FONT))) + 12;
    const height = fitting.length === 0 ? 0 : fitting.length * EDGE_LINE + 4;
    if (fitting.length > 0) labels.set(id, { width, height, lines: fitting });
    graph.setEdge(from, to, { width, height, labelpos: 'c' }, id);
  }
  if (nodes.length > 0) layout(graph);
  const size = graph.graph();
  // What the root took at the top is given back.
  const top = Math.min(...nodes.map(({ id }) => (graph.node(id).y ?? 0) - NODE.height / 2)) - MARGIN;
  return {
    detail,
    nodes: nodes.map((node) => {
      const { x = 0, y = 0 } = graph.node(node.id);
      return { ...node, x: x - NODE.width / 2, y: y - NODE.height / 2 - top };
    }),
    edges: edges.map((edge) => {
      const { points = [], x = 0, y = 0 } = graph.edge(edge.from, edge.to, edge.id);
      const label = labels.get(edge.id);
      return {
        ...edge,
        points: points.map((point: Point) => ({ x: point.x, y: point.y - top })),
        label: label ? { ...label, x, y: y - top } : null,
      };
    }),
    width: nodes.length > 0 ? (size.width ?? 0) : 0,
    height: nodes.length > 0 ? (size.height ?? 0) - top : 0,
  };
}

/** The line through the points as SVG path data, its corners rounded. */
export function toPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (first === undefined || last === undefined) return '';
  let path = `M${round(first)}`;
  for (const [index, point] of rest.entries()) {
    const next = rest[index + 1] ?? last;
    path += ` Q${round(point)} ${round({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  }
  return `${path} L${round(last)}`;
}

/** The head of the arrow at the end of the points, as SVG path data. */
export function toArrow(points: readonly Point[]): string {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (tip === undefined || before === undefined) return '';
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const along = { x: (tip.x - before.x) / length, y: (tip.y - before.y) / length };
  const corner = (side: 1 | -1): Point => ({
    x: tip.x - along.x * 8 - along.y * 4 * side,
    y: tip.y - along.y * 8 + along.x * 4 * side,
  });
  return `M${round(tip)} L${round(corner(1))} L${round(corner(-1))} Z`;
}

const round = ({ x, y }: Point) => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
