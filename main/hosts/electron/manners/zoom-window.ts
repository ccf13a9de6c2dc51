import type { BrowserWindow } from 'electron';

/** Chromium's zoom levels: the factor is 1.2 to this power. */
const STEP = 0.5;
/** About 58 % and 207 %: within these the layout holds in a window of the least size. */
const SMALLEST = -3;
const LARGEST = 4;

/** Changes the size of everything on the page by one step. Chromium stores it with the session, so a restart keeps it. */
export function zoomWindow({ webContents }: BrowserWindow, step: 'in' | 'out' | 'reset'): void {
  const level = webContents.getZoomLevel();
  const next = step === 'reset' ? 0 : level + (step === 'in' ? STEP : -STEP);
  webContents.setZoomLevel(Math.min(LARGEST, Math.max(SMALLEST, next)));
}

/** Ctrl and the mouse wheel zoom as the menu does. */
export function followWheelZoom(window: BrowserWindow): void {
  window.webContents.on('zoom-changed', (_event, direction) => zoomWindow(window, direction));
}
