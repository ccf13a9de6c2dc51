import { bundleWays } from './bundle-ways.ts';
import { measureWay } from './measure-way.ts';
import type { PlacedMap } from './placed-map.ts';
import type { StoryMap } from './story-map.ts';

/** Labels that differ by less than this in width may stand at the same place. In pixels. */
const WIDTH_STEP = 60;

/** What the places of boxes and ways follow from: equal for two maps that differ in words only. */
export function toStructure({ detail, nodes, edges }: StoryMap): string {
  const ways = bundleWays(edges).map((bundle) => {
    const { label } = measureWay(bundle);
    const room = label && [Math.ceil(label.width / WIDTH_STEP), label.height];
    return [bundle.from, bundle.to, bundle.kind, bundle.returns, room];
  });
  return JSON.stringify([detail, nodes.map(({ id }) => id), ways]);
}

/** The map with new words at the places that are known; both have the same structure. */
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
