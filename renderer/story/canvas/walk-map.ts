import type { KeyboardEvent, RefObject } from 'react';
import type { Direction, Neighbours } from '../layout/map-neighbours.ts';
import type { PlacedMap } from '../layout/placed-map.ts';
import { foldChapters, storyStore } from '../story-store.ts';

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

interface WalkedMap {
  placed: PlacedMap;
  neighbours: Neighbours;
  /** The node from which the first arrow key starts. */
  stop: string | null | undefined;
  /** Receives the node that the keyboard has chosen; it takes the focus once it is drawn. */
  keyTarget: RefObject<string | null>;
  goTo(id: string, options: { isNear: boolean }): void;
}

/** Handles a key on the map: arrows and Home move the selection, Escape clears it, the minus key folds its chapter. */
export function walkMap(event: KeyboardEvent, { placed, neighbours, stop, keyTarget, goTo }: WalkedMap): void {
  if (event.key === 'Escape' && storyStore.getState().chosen !== null) {
    storyStore.setState({ chosen: null });
    return;
  }
  if (event.key === '-' && !event.ctrlKey && !event.metaKey) {
    const chapter = placed.nodes.find(({ id }) => id === storyStore.getState().chosen)?.chapter;
    if (chapter !== undefined) foldChapters(chapter);
    return;
  }
  const direction = DIRECTIONS[event.key];
  if ((!direction && event.key !== 'Home') || event.altKey || event.ctrlKey || event.metaKey) return;
  const from = storyStore.getState().chosen ?? stop;
  if (!from) return;
  event.preventDefault();
  const target = direction ? neighbours.toward(from, direction) : placed.nodes[0]?.id;
  if (!target) return;
  keyTarget.current = target;
  storyStore.setState({ chosen: target, pointed: null });
  goTo(target, { isNear: true });
}
