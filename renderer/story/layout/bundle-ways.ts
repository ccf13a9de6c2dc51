import type { MapEdge } from './story-map.ts';

/** Edges drawn as one line: all edges of the same kind from one node to another. */
export interface WayBundle {
  /** Id of the first edge. */
  id: string;
  from: string;
  to: string;
  kind: 'way' | 'call' | 'missing';
  /** Target of a click: the position of the first edge. */
  path: string;
  line: number;
  /** True if an edge without text leads back, so the line has an arrow head at both ends. */
  returns: boolean;
  /** Rows of the label, each choice followed by its condition. */
  rows: readonly WayRow[];
  /** Untruncated text of all edges, for a tooltip. */
  words: string;
}

export interface WayRow {
  text: string;
  /** True for a condition or a note. */
  isQuiet: boolean;
}

const MAX_ROWS = 4;

/** Bundles edges that are drawn as one line, in the order of the edges. */
export function bundleWays(edges: readonly MapEdge[]): WayBundle[] {
  const groups = new Map<string, MapEdge[]>();
  for (const edge of edges) {
    const key = keyOf(edge.from, edge.to, toKind(edge));
    const group = groups.get(key);
    if (group) group.push(edge);
    else groups.set(key, [edge]);
  }
  const isBare = (group: readonly MapEdge[]) => group.every(({ lines }) => lines.length === 0);
  const returning = new Set<string>();
  for (const [key, group] of groups) {
    const { from, to } = group[0] as MapEdge;
    const back = keyOf(to, from, 'way');
    if (toKind(group[0] as MapEdge) !== 'way' || from === to || returning.has(key)) continue;
    const opposite = groups.get(back);
    if (opposite && isBare(opposite)) returning.add(back);
  }
  const bundles: WayBundle[] = [];
  for (const [key, group] of groups) if (!returning.has(key)) bundles.push(toBundle(group, returning));
  return bundles;
}

const toKind = ({ kind }: MapEdge): WayBundle['kind'] => (kind === 'call' || kind === 'missing' ? kind : 'way');
const keyOf = (from: string, to: string, kind: WayBundle['kind']) => JSON.stringify([from, to, kind]);

function toBundle(group: readonly MapEdge[], returning: ReadonlySet<string>): WayBundle {
  const first = group[0] as MapEdge;
  const kind = toKind(first);
  const seen = new Set<string>();
  const rows: WayRow[] = [];
  for (const { lines, kind: how } of group) {
    const [head, ...rest] = lines;
    if (head === undefined || seen.has(lines.join('\n'))) continue;
    seen.add(lines.join('\n'));
    rows.push({ text: head, isQuiet: how !== 'choose' }, ...rest.map((text) => ({ text, isQuiet: true })));
  }
  const shown =
    rows.length > MAX_ROWS
      ? [...rows.slice(0, MAX_ROWS - 1), { text: `+${rows.length - MAX_ROWS + 1}`, isQuiet: true }]
      : rows;
  return {
    id: first.id,
    from: first.from,
    to: first.to,
    kind,
    path: first.path,
    line: first.line,
    returns: kind === 'way' && returning.has(keyOf(first.to, first.from, 'way')),
    rows: shown,
    words: rows.map(({ text }) => text).join('\n'),
  };
}
