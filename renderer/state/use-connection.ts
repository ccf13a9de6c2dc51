import { useSyncExternalStore } from 'react';
import { isAppConnected, onConnection } from '../api.ts';

/** Returns whether the page is connected to the app. */
export function useConnection(): boolean {
  return useSyncExternalStore(onConnection, isAppConnected);
}
