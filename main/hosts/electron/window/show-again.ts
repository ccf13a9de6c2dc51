import type { BrowserWindow } from 'electron';

/** Brings the window to the front, from wherever it is. */
export function showAgain(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
