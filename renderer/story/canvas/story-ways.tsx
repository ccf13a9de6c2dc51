import { memo, useContext, useMemo } from 'react';
import { useSlices } from '../../ui/use-slices.ts';
import type { PlacedWay } from '../layout/placed-map.ts';
import { openLine } from '../open-line.ts';
import { toActive, useStory } from '../story-store.ts';
import { isInRegion, useRegion } from '../use-region.ts';
import { NeighboursContext } from './neighbours-context.ts';
import { StoryWay } from './story-way.tsx';
import classes from './story-ways.module.css';

interface StoryWaysProps {
  ways: readonly PlacedWay[];
  width: number;
  height: number;
  /** Draws only what is near the part of the map in sight. */
  isCulled: boolean;
}

/** So many come into the page at a time. */
const SLICE = 24;

/** All ways in one drawing: a picture of its own for each would make dragging the map slow. */
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
  const shown = useSlices(near, SLICE);
  return (
    // The list says the same in words, and the boxes count their ways.
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
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard opens the same line from the box or the list
    <g className={classes.way} data-kind={way.kind} data-way={way.id} onClick={() => openLine(way)}>
      <StoryWay way={way} />
    </g>
  );
});

/** The ways of the active box once more, above the others. */
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
