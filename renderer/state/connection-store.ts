import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { onConnection } from '../api.ts';

const connectionStore = createStore<{ isConnected: boolean }>(() => ({ isConnected: true }));

/** Returns whether the page is connected to the app. */
export function useConnection(): boolean {
  return useStore(connectionStore, (state) => state.isConnected);
}

/** Follows the connection to the app; call once. */
export function connectConnection(): void {
  onConnection((isConnected) => connectionStore.setState({ isConnected }));
}
