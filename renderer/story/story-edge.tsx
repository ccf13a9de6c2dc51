import type { Edge, EdgeProps } from '@xyflow/react';
import { EDGE_LINE, type PlacedEdge, toArrow, toPath } from './lay-out-story.ts';
import classes from './story-edge.module.css';

export type StoryFlowEdge = Edge<{ edge: PlacedEdge }, 'story'>;

/** A way on the map, along the points the layout found for it, with the choice and the condition. */
export function StoryEdge({ data }: EdgeProps<StoryFlowEdge>) {
  if (!data) return null;
  const { points, label, kind } = data.edge;
  const path = toPath(points);
  return (
    <g className={classes.root} data-kind={kind}>
      <path d={path} className={classes.line} />
      <path d={toArrow(points)} className={classes.arrow} />
      <path d={path} className={classes.reach} />
      {label && (
        <>
          <rect
            className={classes.ground}
            x={label.x - label.width / 2}
            y={label.y - label.height / 2}
            width={label.width}
            height={label.height}
            rx={4}
          />
          {label.lines.map((text, index) => (
            <text
              // biome-ignore lint/suspicious/noArrayIndexKey: two fixed rows, the choice and its condition
              key={index}
              className={classes.text}
              x={label.x}
              y={label.y - label.height / 2 + 2 + EDGE_LINE * (index + 0.75)}
            >
              {text}
            </text>
          ))}
        </>
      )}
    </g>
  );
}
