import { BrowserWindow } from 'electron';
import { isAppPage } from '../page-protocol.ts';

/** Returns the app's window, which is not the stage's; undefined while there is none. */
export function findAppWindow(): BrowserWindow | undefined {
  return BrowserWindow.getAllWindows().find(({ webContents }) => isAppPage(webContents.getURL()));
}
