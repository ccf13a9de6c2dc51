import type { WayBundle, WayRow } from './bundle-ways.ts';
import type { Detail, MapNode } from './story-map.ts';
import type { Point } from './way-shape.ts';

/** Size of a node, of a label row, and margin around the map; in pixels. */
export const NODE = { width: 232, height: 76 } as const;
export const ROW = { font: 11, height: 15 } as const;
export const MARGIN = 24;

/** A node with its upper left corner `x`, `y` in pixels. */
export type PlacedNode = MapNode & Point;

/** A truncated edge label; `x` and `y` are its center. */
export interface WayLabel extends Point {
  width: number;
  height: number;
  rows: readonly WayRow[];
}

export interface PlacedWay extends Omit<WayBundle, 'rows'> {
  /** Points from node border to node border; at least two. */
  points: readonly Point[];
  label: WayLabel | null;
}

export interface PlacedMap {
  detail: Detail;
  nodes: readonly PlacedNode[];
  ways: readonly PlacedWay[];
  width: number;
  height: number;
  /** True if the story is too large or too deep for dagre and was laid out in rows. */
  isPlain: boolean;
}

/** A bundle with the size of its label. */
export interface MeasuredWay {
  way: Omit<WayBundle, 'rows'>;
  label: Omit<WayLabel, 'x' | 'y'> | null;
}

interface View {
  /** Position of the map's origin in the view, in pixels, and the scale. */
  transform: readonly [x: number, y: number, scale: number];
  width: number;
  height: number;
}

/** True if all boxes of the map are in view; the margin around them may be cut off. */
export function isWholeInView(map: Pick<PlacedMap, 'width' | 'height'>, view: View): boolean {
  const [x, y, scale] = view.transform;
  const end = (start: number, length: number) => start + (length - MARGIN) * scale;
  const begin = (start: number) => start + MARGIN * scale;
  return begin(x) >= 0 && begin(y) >= 0 && end(x, map.width) <= view.width && end(y, map.height) <= view.height;
}
