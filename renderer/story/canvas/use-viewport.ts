import { getViewportForBounds, type ReactFlowInstance, type Viewport } from '@xyflow/react';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { NODE, type PlacedMap, type PlacedNode } from '../layout/placed-map.ts';
import { storyStore } from '../story-store.ts';
import type { StoryFlowNode } from './story-node.tsx';

export type Flow = ReactFlowInstance<StoryFlowNode>;

/** Level of detail of a node: everything, the name only, or the shape only. */
export type Level = 'near' | 'middle' | 'far';

/** Zoom thresholds: below `LEGIBLE_ZOOM` only names are readable, below `NAME_ZOOM` no text is. */
const LEGIBLE_ZOOM = 0.5;
const NAME_ZOOM = 0.3;
const READING_ZOOM = 0.85;
const MARGIN_RATIO = 0.05;
/** Minimum zoom of the map. */
export const MIN_ZOOM = 0.02;

export function toLevel(zoom: number): Level {
  return zoom >= LEGIBLE_ZOOM ? 'near' : zoom >= NAME_ZOOM ? 'middle' : 'far';
}

/** Rounds the zoom to steps of 25 %, so that text is not resized on each wheel event. */
export const toStep = (zoom: number): number => 1.25 ** Math.round(Math.log(zoom) / Math.log(1.25));

/** Returns the animation time in milliseconds; 0 if the user prefers reduced motion. */
export const moveTime = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250);

interface ViewportNeeds {
  flow: Flow | null;
  placed: PlacedMap;
  placeKey: string;
  here: string | null;
}

/** Controls the viewport: restores the last one, and keeps the visible part in place after the story changed. */
export function useViewport({ flow, placed, placeKey, here }: ViewportNeeds) {
  const shown = useRef(placed);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = placed;
    if (!flow || before === placed) return;
    const { x, y, zoom } = flow.getViewport();
    const anchor = findAnchor(before, placed, toMiddle(flow));
    if (anchor === null) return;
    const [from, to] = anchor;
    void flow.setViewport({ x: x - (to.x - from.x) * zoom, y: y - (to.y - from.y) * zoom, zoom });
  }, [flow, placed]);

  const goTo = useCallback(
    (id: string, { isNear = false } = {}) => {
      const node = shown.current.nodes.find((one) => one.id === id);
      if (!flow || !node) return;
      // Arrow keys move the map only if the node is not fully visible.
      if (isNear && isInSight(node)) return;
      const zoom = Math.max(flow.getZoom(), READING_ZOOM);
      void flow.setCenter(node.x + NODE.width / 2, node.y + NODE.height / 2, { zoom, duration: moveTime() });
    },
    [flow],
  );
  const showAll = useCallback(() => {
    void flow?.setViewport(toWhole(shown.current), { duration: moveTime() });
  }, [flow]);

  /** Sets the initial viewport: the last one, else the whole map if readable, else the edited node, else the start. */
  const begin = (instance: Flow) => {
    const { place } = storyStore.getState();
    if (place?.key === placeKey) {
      void instance.setViewport(place.viewport);
      return;
    }
    const whole = toWhole(placed, 1);
    const node = placed.nodes.find(({ id }) => id === here) ?? placed.nodes[0];
    if (whole.zoom >= LEGIBLE_ZOOM || !node) {
      void instance.setViewport(whole);
      return;
    }
    const frame = frameSize();
    // The start is placed at the left because the story continues to the right; any other node is centered.
    const left = node === placed.nodes[0] ? frame.width * 0.1 : (frame.width - NODE.width * READING_ZOOM) / 2;
    const top = (frame.height - NODE.height * READING_ZOOM) / 2;
    void instance.setViewport({ x: left - node.x * READING_ZOOM, y: top - node.y * READING_ZOOM, zoom: READING_ZOOM });
  };
  return { goTo, showAll, begin };
}

function frameSize(): { width: number; height: number } {
  return document.querySelector('.react-flow')?.getBoundingClientRect() ?? { width: 0, height: 0 };
}

/** Returns the viewport of the whole map. Not xyflow's `fitView`, which includes only mounted nodes. */
function toWhole({ nodes }: PlacedMap, nearest = 2): Viewport {
  const { width, height } = frameSize();
  const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
  const [left, top] = [xs.reduce(least, Infinity), ys.reduce(least, Infinity)];
  const [right, bottom] = [xs.reduce(most, left) + NODE.width, ys.reduce(most, top) + NODE.height];
  const bounds = { x: left, y: top, width: right - left, height: bottom - top };
  return getViewportForBounds(bounds, width, height, MIN_ZOOM, nearest, MARGIN_RATIO);
}

const least = (one: number, other: number) => Math.min(one, other);
const most = (one: number, other: number) => Math.max(one, other);

/** True if the node is fully visible. Measures the DOM, which accounts for panels around the map. */
function isInSight({ id }: PlacedNode): boolean {
  const box = document.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.getBoundingClientRect();
  const frame = document.querySelector('.react-flow')?.getBoundingClientRect();
  if (!box || !frame) return false;
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
}

function toMiddle(flow: Flow): { x: number; y: number } {
  const frame = document.querySelector('.react-flow')?.getBoundingClientRect();
  if (!frame) return { x: 0, y: 0 };
  return flow.screenToFlowPosition({ x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 });
}

/** Returns the node nearest to `middle` that is on both maps, as placed on each. */
function findAnchor(
  before: PlacedMap,
  after: PlacedMap,
  middle: { x: number; y: number },
): [PlacedNode, PlacedNode] | null {
  const kept = new Map(after.nodes.map((node) => [node.id, node]));
  let best: [PlacedNode, PlacedNode] | null = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const node of before.nodes) {
    const same = kept.get(node.id);
    const distance = Math.hypot(node.x + NODE.width / 2 - middle.x, node.y + NODE.height / 2 - middle.y);
    if (!same || distance >= shortest) continue;
    shortest = distance;
    best = [node, same];
  }
  return best;
}
