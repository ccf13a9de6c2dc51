import type { PlacedMap, PlacedNode, PlacedWay } from './placed-map.ts';

/** Which boxes are next to which, for the ways in and out and for the arrow keys. */
export interface Neighbours {
  /** Ids of the boxes before and after one, each once. */
  before(id: string): ReadonlySet<string>;
  after(id: string): ReadonlySet<string>;
  /** The lines of a box, in and out. */
  waysOf(id: string): readonly PlacedWay[];
  /** The box an arrow key leads to; null where there is none. Left and right follow the story, up and down the column. */
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
      // Where the story leads first; where it does not, whatever stands on that side.
      const led = [...((direction === 'right' ? after : before).get(id) ?? NONE)]
        .map((other) => places.get(other))
        .filter((node) => node !== undefined);
      return nearest(led, here, direction) ?? nearest(nodes, here, direction);
    },
  };
}

/** The nearest of the boxes that lie in a direction; what lies askew counts as farther. */
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
