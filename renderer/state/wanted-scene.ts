import { createStore } from 'zustand/vanilla';

/** The scene that the story map moves to as soon as it is drawn; null for none. */
export const wantedSceneStore = createStore<{ path: string | null }>(() => ({ path: null }));
