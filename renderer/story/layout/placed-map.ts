import type { WayBundle, WayRow } from './bundle-ways.ts';
import type { Detail, MapNode } from './story-map.ts';
import type { Point } from './way-shape.ts';

/** Of a box, of a row of words at a way, and around all of it; in pixels. */
export const NODE = { width: 232, height: 76 } as const;
export const ROW = { font: 11, height: 15 } as const;
export const MARGIN = 24;

/** `x` and `y` are the upper left corner, in pixels. */
export type PlacedNode = MapNode & Point;

/** What stands at a way, cut to fit; `x` and `y` are the middle of the room for it. */
export interface WayLabel extends Point {
  width: number;
  height: number;
  rows: readonly WayRow[];
}

export interface PlacedWay extends Omit<WayBundle, 'rows'> {
  /** From border to border; at least two. */
  points: readonly Point[];
  label: WayLabel | null;
}

export interface PlacedMap {
  detail: Detail;
  nodes: readonly PlacedNode[];
  ways: readonly PlacedWay[];
  width: number;
  height: number;
  /** True when the story is too deep for the good layout and was put in rows instead. */
  isPlain: boolean;
}

/** A bundle with the room that its words take. */
export interface MeasuredWay {
  way: Omit<WayBundle, 'rows'>;
  label: Omit<WayLabel, 'x' | 'y'> | null;
}
