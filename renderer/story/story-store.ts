import type { Viewport } from '@xyflow/react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Detail } from './story-map.ts';

export interface StoryState {
  /** Null until she chooses: what suits the length of the story. */
  detail: Detail | null;
  shape: 'map' | 'list';
  /** Where she was on the map: which game and detail, so that coming back from a line leads there again. */
  place: { key: string; viewport: Viewport } | null;
}

/** How she looks at the story map; lasts as long as the page. */
export const storyStore = createStore<StoryState>(() => ({ detail: null, shape: 'map', place: null }));

export function useStory<T>(select: (state: StoryState) => T): T {
  return useStore(storyStore, select);
}
