import { createStore } from 'zustand/vanilla';

/** True until the story's search field has the focus that a key asked for. */
export const wantedSearchStore = createStore<{ isWanted: boolean }>(() => ({ isWanted: false }));

/** The scene that the story map moves to as soon as it is drawn; null for none. */
export const wantedSceneStore = createStore<{ path: string | null }>(() => ({ path: null }));
