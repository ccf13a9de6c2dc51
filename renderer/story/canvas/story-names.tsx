import { memo } from 'react';
import { estimateWidth, fitTitle } from '../layout/fit-text.ts';
import { NODE, type PlacedNode } from '../layout/placed-map.ts';
import classes from './story-ways.module.css';

/** Font size and maximum width of a name, in screen pixels. */
const FONT_PX = 12;
const MAX_NAME_PX = 130;

interface Name {
  id: string;
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Node names at low zoom, at a constant screen size and without overlaps; chapters take precedence. */
export const StoryNames = memo(function StoryNames({ nodes, scale }: { nodes: readonly PlacedNode[]; scale: number }) {
  return (
    <svg className={classes.names} width={1} height={1} aria-hidden>
      {placeNames(nodes, scale).map(({ id, text, x, y }) => (
        <text key={id} className={classes.name} x={x} y={y} fontSize={FONT_PX / scale} strokeWidth={3 / scale}>
          {text}
        </text>
      ))}
    </svg>
  );
});

/** Returns the names that fit at a zoom, with their centers in map coordinates. */
function placeNames(nodes: readonly PlacedNode[], scale: number): Name[] {
  const rank = (node: PlacedNode) => (node.folded ? 0 : node.marks.length > 0 ? 1 : 2);
  const placed: Name[] = [];
  for (const node of nodes.toSorted((one, other) => rank(one) - rank(other))) {
    const text = fitTitle(node.title, MAX_NAME_PX, FONT_PX);
    const name = {
      id: node.id,
      text,
      x: node.x + NODE.width / 2,
      y: node.y + NODE.height / 2,
      width: (estimateWidth(text, FONT_PX) + 6) / scale,
      height: (FONT_PX * 1.3) / scale,
    };
    const isFree = placed.every(
      (other) =>
        Math.abs(other.x - name.x) * 2 >= other.width + name.width ||
        Math.abs(other.y - name.y) * 2 >= other.height + name.height,
    );
    if (isFree) placed.push(name);
  }
  return placed;
}
