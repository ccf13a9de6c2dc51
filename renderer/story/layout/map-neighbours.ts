import type { PlacedMap, PlacedNode, PlacedWay } from './placed-map.ts';

/** Neighbours of nodes, for highlighting edges and for the arrow keys. */
export interface Neighbours {
  /** Unique ids of predecessors and successors. */
  before(id: string): ReadonlySet<string>;
  after(id: string): ReadonlySet<string>;
  /** Incoming and outgoing edges of a node. */
  waysOf(id: string): readonly PlacedWay[];
  /** Returns the target node of an arrow key, or null. Left and right follow edges, up and down the column. */
  toward(id: string, direction: Direction): string | null;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

const NONE: ReadonlySet<string> = new Set();

export function findNeighbours({ nodes, ways }: PlacedMap): Neighbours {
  const before = new Map<string, Set<string>>();
  const after = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, id: string, other: string) => {
    const known = map.get(id);
    if (known) known.add(other);
    else map.set(id, new Set([other]));
  };
  const lines = new Map<string, PlacedWay[]>();
  for (const way of ways) {
    const { from, to, returns } = way;
    add(before, to, from);
    add(after, from, to);
    if (returns) {
      add(before, from, to);
      add(after, to, from);
    }
    for (const id of new Set([from, to])) {
      const own = lines.get(id);
      if (own) own.push(way);
      else lines.set(id, [way]);
    }
  }
  const places = new Map(nodes.map((node) => [node.id, node]));
  return {
    before: (id) => before.get(id) ?? NONE,
    after: (id) => after.get(id) ?? NONE,
    waysOf: (id) => lines.get(id) ?? [],
    toward(id, direction) {
      const here = places.get(id);
      if (here === undefined) return null;
      if (direction === 'up' || direction === 'down') return nearest(nodes, here, direction);
      // Prefer connected nodes; without any on that side, use the nearest node.
      const led = [...((direction === 'right' ? after : before).get(id) ?? NONE)]
        .map((other) => places.get(other))
        .filter((node) => node !== undefined);
      return nearest(led, here, direction) ?? nearest(nodes, here, direction);
    },
  };
}

/** Returns the nearest node in a direction; a sideways offset adds to the distance. */
function nearest(nodes: readonly PlacedNode[], here: PlacedNode, direction: Direction): string | null {
  const isLevel = direction === 'left' || direction === 'right';
  const sign = direction === 'right' || direction === 'down' ? 1 : -1;
  let best: string | null = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const { id, x, y } of nodes) {
    const along = sign * (isLevel ? x - here.x : y - here.y);
    const askew = Math.abs(isLevel ? y - here.y : x - here.x);
    if (id === here.id || along <= 0) continue;
    const distance = along + askew * 2;
    if (distance >= shortest) continue;
    shortest = distance;
    best = id;
  }
  return best;
}
