import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { setStopped } from './stage-focus.ts';
import { toPort } from './stage-window-port.ts';
import { STAGE_WINDOW_QUERY, type StageWindowOrder, type StageWindowState } from './stage-window-state.ts';

/** A closed window is noticed after this time at the latest; no event of the browser reports it everywhere. */
const WATCH_MS = 300;
/** The size of a first window in a browser; the desktop app has its own and remembers changes. */
const FEATURES = 'popup,width=1280,height=720';

interface OpenWindow {
  page: Window;
  /** Null until the window has loaded. */
  port: MessagePort | null;
  close(): void;
}

/**
 * The stage in a window of its own: the same engine, which leaves the panel for as long. The window shows a page of the app that has no
 * connection to it; both talk over a port that only they have.
 */
const stageWindowStore = createStore<{ isOut: boolean }>(() => ({ isOut: false }));
let current: OpenWindow | null = null;
let last: StageWindowState | null = null;
/** What the window's buttons do. */
let onOrder: (order: StageWindowOrder) => void = () => undefined;
/** A window by this name is this page's own: another tab of the app has another. */
const name = `stage-${crypto.randomUUID()}`;

export function useStageWindow(): boolean {
  return useStore(stageWindowStore, ({ isOut }) => isOut);
}

export function isStageOut(): boolean {
  return stageWindowStore.getState().isOut;
}

/** Moves the stage to a window of its own, or brings that window to the front. Returns false if the browser refuses a window. */
export function openStageWindow(): boolean {
  if (current !== null && !current.page.closed) {
    // Browsers bring a window to the front for the page that names it.
    window.open('', name);
    return true;
  }
  const page = window.open(`./${STAGE_WINDOW_QUERY}`, name, FEATURES);
  if (page === null) return false;
  const opened: OpenWindow = {
    page,
    port: null,
    close() {
      clearInterval(watch);
      window.removeEventListener('message', receive);
      window.removeEventListener('pagehide', closeStageWindow);
      opened.port?.close();
      if (current === opened) current = null;
      stageWindowStore.setState({ isOut: false });
    },
  };
  const receive = (event: MessageEvent<unknown>): void => {
    // The first message counts; later ones could only come from a page that took its place.
    opened.port ??= toPort(event, page, location.origin);
    if (!opened.port) return;
    window.removeEventListener('message', receive);
    opened.port.onmessage = ({ data: order }: MessageEvent<StageWindowOrder>) => receiveOrder(order);
    tell();
  };
  const watch = setInterval(() => page.closed && opened.close(), WATCH_MS);
  window.addEventListener('message', receive);
  // The window would remain without a page that tells it what to show.
  window.addEventListener('pagehide', closeStageWindow);
  current = opened;
  stageWindowStore.setState({ isOut: true });
  return true;
}

/** Closes the stage's window, if there is one: the stage is back in its panel. */
export function closeStageWindow(): void {
  const closing = current;
  closing?.close();
  closing?.page.close();
}

/** Tells the window what to show, now and when it has loaded. `act` carries out what its buttons ask for. */
export function tellStageWindow(state: StageWindowState, act: (order: StageWindowOrder) => void): void {
  last = state;
  onOrder = act;
  tell();
}

function tell(): void {
  if (last !== null) current?.port?.postMessage(last);
}

function receiveOrder(order: StageWindowOrder): void {
  if (order.kind === 'stopped') setStopped(order.reason);
  else onOrder(order);
}
