import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** The length of a story. `words` counts each Chinese or Japanese character as one. */
export interface StoryLength {
  scenes: number;
  words: number;
}

/** The open game's length; null until known. Written by `language/language-service.ts`. */
export const storyLengthStore = createStore<{ length: StoryLength | null }>(() => ({ length: null }));

export function useStoryLength(): StoryLength | null {
  return useStore(storyLengthStore, (state) => state.length);
}
