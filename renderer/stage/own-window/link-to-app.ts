import { createStore, type StoreApi } from 'zustand/vanilla';
import { mirrorFocus } from '../../state/stage/stage-focus.ts';
import {
  STAGE_WINDOW_READY,
  type StageWindowOrder,
  type StageWindowState,
} from '../../state/stage/stage-window-state.ts';

/** The way of the stage's window to the page that opened it. */
export interface LinkToApp {
  /** What to show; null until the page says. */
  store: StoreApi<{ state: StageWindowState | null }>;
  send(order: StageWindowOrder): void;
}

/**
 * Connects to the page that opened this window, and closes the window when that page is gone. Null in a window that the app did not open,
 * or that was loaded again: the way back is given up here, so that the game's frame cannot reach the app's page through it.
 */
export function linkToApp(): LinkToApp | null {
  const opener = window.opener as Window | null;
  if (opener === null) return null;
  const store = createStore<{ state: StageWindowState | null }>(() => ({ state: null }));
  const { port1: port, port2 } = new MessageChannel();
  port.onmessage = ({ data }: MessageEvent<StageWindowState>) => {
    // First: while a key can be typed, there is no frame at all.
    mirrorFocus(data);
    store.setState({ state: data });
  };
  // Not every browser reports it; the page also closes this window when it leaves.
  port.addEventListener('close', () => window.close());
  // Delivered to a page of this origin only.
  opener.postMessage(STAGE_WINDOW_READY, location.origin, [port2]);
  window.opener = null;
  return { store, send: (order) => port.postMessage(order) };
}
