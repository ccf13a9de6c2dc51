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
  /** The box she chose last, by click or key; it stays chosen while she writes elsewhere. */
  chosen: string | null;
  /** The box under the pointer. */
  pointed: string | null;
}

/** How she looks at the story map; lasts as long as the page. */
export const storyStore = createStore<StoryState>(() => ({
  detail: null,
  shape: 'map',
  place: null,
  chosen: null,
  pointed: null,
}));

export function useStory<T>(select: (state: StoryState) => T): T {
  return useStore(storyStore, select);
}

/** The box whose ways are shown. */
export const toActive = ({ pointed, chosen }: Pick<StoryState, 'pointed' | 'chosen'>) => pointed ?? chosen;
