import { createStore } from 'zustand/vanilla';

/** True until the story's search field has the focus that a key asked for. */
export const wantedSearchStore = createStore<{ isWanted: boolean }>(() => ({ isWanted: false }));
