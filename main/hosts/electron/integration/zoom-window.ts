import type { BrowserWindow } from 'electron';

/** One step in Chromium's zoom levels; the factor is 1.2 to the power of the level. */
const STEP = 0.5;
/** About 58 % and 207 %. In this range the layout fits the smallest window. */
const MIN_LEVEL = -3;
const MAX_LEVEL = 4;

/** Changes the page's zoom by one step or resets it. Chromium stores the level with the session, so it survives a restart. */
export function zoomWindow({ webContents }: BrowserWindow, step: 'in' | 'out' | 'reset'): void {
  const level = webContents.getZoomLevel();
  const next = step === 'reset' ? 0 : level + (step === 'in' ? STEP : -STEP);
  webContents.setZoomLevel(Math.min(MAX_LEVEL, Math.max(MIN_LEVEL, next)));
}

/** Zooms on Ctrl and mouse wheel like the menu items. */
export function followWheelZoom(window: BrowserWindow): void {
  window.webContents.on('zoom-changed', (_event, direction) => zoomWindow(window, direction));
}
