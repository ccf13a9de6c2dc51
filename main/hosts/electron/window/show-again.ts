import type { BrowserWindow } from 'electron';

/** Brings a hidden, minimised or covered window to the front. */
export function showAgain(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
