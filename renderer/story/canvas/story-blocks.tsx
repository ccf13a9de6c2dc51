import { memo } from 'react';
import { MARK_SHAPES } from '../layout/mark-shape.ts';
import { NODE, type PlacedNode } from '../layout/placed-map.ts';
import { MARKS, type Mark } from '../layout/story-map.ts';
import classes from './story-ways.module.css';

/** Nodes of a large map at low zoom: one SVG path per kind of node, for any number of nodes. */
export const StoryBlocks = memo(function StoryBlocks({ nodes }: { nodes: readonly PlacedNode[] }) {
  const kinds = Map.groupBy(nodes, ({ marks }) => marks[0]?.mark ?? null);
  return (
    <svg className={classes.root} width={1} height={1} aria-hidden>
      {([null, ...MARKS] satisfies (Mark | null)[]).map((kind) => (
        <path
          key={kind}
          fill={`var(--${kind === null || kind === 'unreachable' ? 'edge' : MARK_SHAPES[kind].ink})`}
          d={(kinds.get(kind) ?? [])
            .map(({ x, y }) => `M${x},${y}h${NODE.width}v${NODE.height}h${-NODE.width}z`)
            .join('')}
        />
      ))}
    </svg>
  );
});
