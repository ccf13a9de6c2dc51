import { memo, useContext, useMemo } from 'react';
import { useSlices } from '../../ui/list/use-slices.ts';
import { showFile } from '../../workflows/show-file.ts';
import type { PlacedWay } from '../layout/placed-map.ts';
import { toActive, useStory } from '../story-store.ts';
import { isInRegion, useRegion } from '../use-region.ts';
import { NeighboursContext } from './neighbours-context.ts';
import { StoryWay } from './story-way.tsx';
import classes from './story-ways.module.css';

interface StoryWaysProps {
  ways: readonly PlacedWay[];
  width: number;
  height: number;
  /** True to draw only edges near the visible part of the map. */
  isCulled: boolean;
}

/** Edges mounted per frame. */
const EDGES_PER_FRAME = 24;

/** All edges in one SVG element: one element per edge makes panning slow. */
export function StoryWays({ ways, width, height, isCulled }: StoryWaysProps) {
  const region = useRegion(isCulled);
  const near = useMemo(() => {
    if (region === null) return ways;
    return ways.filter(({ points }) => {
      const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
      const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      return isInRegion(region, { left, top, right, bottom });
    });
  }, [ways, region]);
  const shown = useSlices(near, EDGES_PER_FRAME);
  return (
    // Hidden from screen readers: the list has the same content, and nodes state their number of edges.
    <svg className={classes.root} width={width} height={height} aria-hidden>
      <AllWays ways={shown} />
      <ActiveWays />
    </svg>
  );
}

const AllWays = memo(function AllWays({ ways }: { ways: readonly PlacedWay[] }) {
  return ways.map((way) => <Way key={way.id} way={way} />);
});

const Way = memo(function Way({ way }: { way: PlacedWay }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the node and the list offer the same action to the keyboard
    <g className={classes.way} data-kind={way.kind} data-way={way.id} onClick={() => showFile(way.path, way.line)}>
      <StoryWay way={way} />
    </g>
  );
});

/** Redraws the edges of the active node above the others. */
function ActiveWays() {
  const { neighbours } = useContext(NeighboursContext);
  const active = useStory(toActive);
  const own = active === null ? [] : (neighbours?.waysOf(active) ?? []);
  return own.map((way) => (
    <g
      key={way.id}
      className={classes.active}
      data-kind={way.kind}
      data-side={way.from === active ? 'after' : 'before'}
    >
      <StoryWay way={way} />
    </g>
  ));
}
