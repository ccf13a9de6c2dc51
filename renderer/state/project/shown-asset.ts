import { createStore } from 'zustand/vanilla';

/** The asset that the asset view scrolls to; null for none. */
export const shownAssetStore = createStore<{ path: string | null }>(() => ({ path: null }));
