import { type RefObject, useEffect } from 'react';
import { isFocusAround } from '../../ui/focus/focus-around.ts';
import type { PlacedMap } from '../layout/placed-map.ts';
import { storyStore, useStory } from '../story-store.ts';

interface GoalNeeds {
  root: RefObject<HTMLElement | null>;
  placed: PlacedMap;
  /** Null until the map can move. */
  goTo: ((id: string) => void) | null;
  /** Receives the node that takes the focus once it is drawn. */
  keyTarget: RefObject<string | null>;
}

/** Moves the map to the node that another part of the page asked for, and selects it. */
export function useMapGoal({ root, placed, goTo, keyTarget }: GoalNeeds): void {
  const goal = useStory((state) => state.goal);

  useEffect(() => {
    if (goal === null || goTo === null) return;
    // The chapter may still be folded; the view with the node arrives later.
    const isOpen = goal.chapter === null || storyStore.getState().view?.open.some(({ id }) => id === goal.chapter);
    const target = placed.nodes.find(({ id, folded }) => id === goal.id || folded?.includes(goal.id));
    if (!isOpen || target === undefined) return;
    goTo(target.id);
    // Folding or unfolding a chapter removes what had the focus.
    const { activeElement } = document;
    if (isFocusAround(root.current) || root.current?.contains(activeElement)) keyTarget.current = target.id;
    storyStore.setState({ chosen: target.id, goal: null });
  }, [root, goal, goTo, placed, keyTarget]);
}
