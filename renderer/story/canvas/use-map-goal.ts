import { useEffect } from 'react';
import type { PlacedMap } from '../layout/placed-map.ts';
import { storyStore, useStory } from '../story-store.ts';

/** Moves the map to the node that another part of the page asked for, and selects it. `goTo`: null until the map can move. */
export function useMapGoal(placed: PlacedMap, goTo: ((id: string) => void) | null): void {
  const goal = useStory((state) => state.goal);

  useEffect(() => {
    if (goal === null || goTo === null) return;
    // The chapter may still be folded; the view with the node arrives later.
    const isOpen = goal.chapter === null || storyStore.getState().view?.open.some(({ id }) => id === goal.chapter);
    const target = placed.nodes.find(({ id, folded }) => id === goal.id || folded?.includes(goal.id));
    if (!isOpen || target === undefined) return;
    goTo(target.id);
    storyStore.setState({ chosen: target.id, goal: null });
  }, [goal, goTo, placed]);
}
