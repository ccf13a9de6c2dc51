import { memo } from 'react';
import { estimateWidth, fitText } from '../layout/fit-text.ts';
import { NODE, type PlacedNode } from '../layout/placed-map.ts';
import classes from './story-ways.module.css';

/** On the screen, in pixels. */
const FONT = 12;
const WIDEST = 130;

interface Name {
  id: string;
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Names from afar, as large on the screen as ever: chapters first, and none upon another. */
export const StoryNames = memo(function StoryNames({ nodes, scale }: { nodes: readonly PlacedNode[]; scale: number }) {
  return (
    <svg className={classes.names} width={1} height={1} aria-hidden>
      {placeNames(nodes, scale).map(({ id, text, x, y }) => (
        <text key={id} className={classes.name} x={x} y={y} fontSize={FONT / scale} strokeWidth={3 / scale}>
          {text}
        </text>
      ))}
    </svg>
  );
});

/** Which names fit at a zoom, and the middle of each on the map. */
function placeNames(nodes: readonly PlacedNode[], scale: number): Name[] {
  const rank = (node: PlacedNode) => (node.folded ? 0 : node.marks.length > 0 ? 1 : 2);
  const placed: Name[] = [];
  for (const node of nodes.toSorted((one, other) => rank(one) - rank(other))) {
    const text = fitText(node.title, WIDEST, FONT);
    const name = {
      id: node.id,
      text,
      x: node.x + NODE.width / 2,
      y: node.y + NODE.height / 2,
      width: (estimateWidth(text, FONT) + 6) / scale,
      height: (FONT * 1.3) / scale,
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
