import { useEffect } from 'react';
import { useStore } from 'zustand';
import { wantedSceneStore } from '../state/wanted-scene.ts';
import { storyClient } from './story-client.ts';
import type { StoryView } from './story-operations.ts';
import { revealBox } from './story-store.ts';

/** Moves the map to the scene that another part of the page asked for, once the map is drawn. */
export function useWantedScene(view: StoryView | null): void {
  const path = useStore(wantedSceneStore, (state) => state.path);
  useEffect(() => {
    if (path === null || view === null) return;
    wantedSceneStore.setState({ path: null });
    // Ignored: the scene is not on the map, for example because it was removed meanwhile.
    storyClient()
      .call('locateScene', { path })
      .then((found) => found && revealBox(found.id, found.chapter))
      .catch(() => undefined);
  }, [path, view]);
}
