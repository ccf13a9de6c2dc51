import { useStore } from '@xyflow/react';
import { memo, useContext, useMemo } from 'react';
import { NeighboursContext } from './neighbours-context.ts';
import { openLine } from './open-line.ts';
import type { PlacedWay } from './placed-map.ts';
import { toActive, useStory } from './story-store.ts';
import { StoryWay } from './story-way.tsx';
import classes from './story-ways.module.css';

interface StoryWaysProps {
  ways: readonly PlacedWay[];
  width: number;
  height: number;
  /** Draws only what is near the part of the map in sight. */
  isCulled: boolean;
}

/** In pixels of the map: what is drawn changes only when the part in sight has moved that far. */
const TILE = 1200;

/** All ways in one drawing: a picture of its own for each would make dragging the map slow. */
export function StoryWays({ ways, width, height, isCulled }: StoryWaysProps) {
  const region = useStore(({ transform: [x, y, zoom], width: wide, height: high }) => {
    if (!isCulled) return '';
    const tile = (value: number, up: 0 | 1) => (Math.floor(value / zoom / TILE) + up) * TILE;
    return [tile(-x, 0), tile(-y, 0), tile(wide - x, 1), tile(high - y, 1)].join(' ');
  });
  const shown = useMemo(() => {
    if (region === '') return ways;
    const [left = 0, top = 0, right = 0, bottom = 0] = region.split(' ').map(Number);
    return ways.filter(({ points }) => {
      const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
      return Math.max(...xs) >= left && Math.min(...xs) <= right && Math.max(...ys) >= top && Math.min(...ys) <= bottom;
    });
  }, [ways, region]);
  return (
    // The list says the same in words, and the boxes count their ways.
    <svg className={classes.root} width={width} height={height} aria-hidden>
      <AllWays ways={shown} />
      <ActiveWays />
    </svg>
  );
}

const AllWays = memo(function AllWays({ ways }: { ways: readonly PlacedWay[] }) {
  return ways.map((way) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard opens the same line from the box or the list
    <g key={way.id} className={classes.way} data-kind={way.kind} data-way={way.id} onClick={() => openLine(way)}>
      <StoryWay way={way} />
    </g>
  ));
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
