import { bundleWays } from './bundle-ways.ts';
import { measureWay } from './measure-way.ts';
import type { PlacedMap } from './placed-map.ts';
import type { StoryMap } from './story-map.ts';

/** Labels whose widths differ by less than this reuse a layout. In pixels. */
const WIDTH_STEP = 60;

/** Returns a key of everything that determines the layout: equal for two maps that differ only in text. */
export function toStructure({ detail, nodes, edges }: StoryMap): string {
  const ways = bundleWays(edges).map((bundle) => {
    const { label } = measureWay(bundle);
    const room = label && [Math.ceil(label.width / WIDTH_STEP), label.height];
    return [bundle.from, bundle.to, bundle.kind, bundle.returns, room];
  });
  return JSON.stringify([detail, nodes.map(({ id }) => id), ways]);
}

/** Returns the map in the layout of `placed`. Both must have the same structure. */
export function layOutAgain(placed: PlacedMap, map: StoryMap): PlacedMap {
  const bundles = bundleWays(map.edges);
  return {
    ...placed,
    nodes: map.nodes.map((node, at) => {
      const { x = 0, y = 0 } = placed.nodes[at] ?? {};
      return { ...node, x, y };
    }),
    ways: placed.ways.map((way, at) => {
      const bundle = bundles[at];
      if (bundle === undefined) return way;
      const { label, way: words } = measureWay(bundle);
      return { ...words, points: way.points, label: way.label && label && { ...way.label, ...label } };
    }),
  };
}
