import { createStore } from 'zustand/vanilla';

/** True until the story's search field has the focus that was asked for; `text` is searched for, null keeps the last search. */
export const wantedSearchStore = createStore<{ isWanted: boolean; text: string | null }>(() => ({
  isWanted: false,
  text: null,
}));
