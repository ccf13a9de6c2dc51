import { getViewportForBounds, type ReactFlowInstance, type Viewport } from '@xyflow/react';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { NODE, type PlacedMap, type PlacedNode } from '../layout/placed-map.ts';
import { storyStore } from '../story-store.ts';
import type { StoryFlowNode } from './story-node.tsx';

export type Flow = ReactFlowInstance<StoryFlowNode>;

/** How much of a box can be told: all of it, its name, or that it is there. */
export type Level = 'near' | 'middle' | 'far';

/** Smaller than this and only names can be read; smaller than the second, nothing. */
const LEGIBLE = 0.5;
const TELLING = 0.3;
const READING = 0.85;
const MARGIN = 0.05;
/** As small as the map gets. */
export const FURTHEST = 0.02;

export function toLevel(zoom: number): Level {
  return zoom >= LEGIBLE ? 'near' : zoom >= TELLING ? 'middle' : 'far';
}

/** The zoom in steps of a quarter, so that words are not sized anew with each turn of the wheel. */
export const toStep = (zoom: number): number => 1.25 ** Math.round(Math.log(zoom) / Math.log(1.25));

/** No time at all for those who asked for stillness. In milliseconds. */
export const moveTime = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250);

interface ViewportNeeds {
  flow: Flow | null;
  placed: PlacedMap;
  placeKey: string;
  here: string | null;
}

/** Which part of the map she sees: where she left it, and still that part after the story has changed. */
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
      // A step of the arrow keys moves the map only when the box is not in sight.
      if (isNear && isInSight(node)) return;
      const zoom = Math.max(flow.getZoom(), READING);
      void flow.setCenter(node.x + NODE.width / 2, node.y + NODE.height / 2, { zoom, duration: moveTime() });
    },
    [flow],
  );
  const showAll = () => flow?.setViewport(toWhole(placed), { duration: moveTime() });

  /** Where she was; else all of it where that can be read; else where she writes; else the beginning. */
  const begin = (instance: Flow) => {
    const { place } = storyStore.getState();
    if (place?.key === placeKey) {
      void instance.setViewport(place.viewport);
      return;
    }
    const whole = toWhole(placed, 1);
    const node = placed.nodes.find(({ id }) => id === here) ?? placed.nodes[0];
    if (whole.zoom >= LEGIBLE || !node) {
      void instance.setViewport(whole);
      return;
    }
    const frame = frameSize();
    // The beginning stands at the left, for the story goes on to the right; any other box in the middle.
    const left = node === placed.nodes[0] ? frame.width * 0.1 : (frame.width - NODE.width * READING) / 2;
    const top = (frame.height - NODE.height * READING) / 2;
    void instance.setViewport({ x: left - node.x * READING, y: top - node.y * READING, zoom: READING });
  };
  return { goTo, showAll, begin };
}

function frameSize(): { width: number; height: number } {
  return document.querySelector('.react-flow')?.getBoundingClientRect() ?? { width: 0, height: 0 };
}

/** All of the map in sight; xyflow knows only the boxes that are in the page by now. */
function toWhole({ nodes }: PlacedMap, nearest = 2): Viewport {
  const { width, height } = frameSize();
  const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
  const [left, top] = [xs.reduce(least, Infinity), ys.reduce(least, Infinity)];
  const [right, bottom] = [xs.reduce(most, left) + NODE.width, ys.reduce(most, top) + NODE.height];
  const bounds = { x: left, y: top, width: right - left, height: bottom - top };
  return getViewportForBounds(bounds, width, height, FURTHEST, nearest, MARGIN);
}

const least = (one: number, other: number) => Math.min(one, other);
const most = (one: number, other: number) => Math.max(one, other);

/** The nodes of xyflow that stand on the page tell best what is in sight, panels and all. */
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

/** The box nearest to a point that is on both maps, as it lies on each. */
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
