import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type BrowserWindow, type IpcMainEvent, ipcMain } from 'electron';
import { DROP_CHANNEL } from '../../../../shared/wire.ts';
import { isFromPage } from '../page-frame.ts';
import type { MannerPorts } from './add-manners.ts';

/**
 * Opens a folder that is dropped on the window. The path comes from the preload over a channel of its own, so the page
 * never sees it; the page is handed an id and opens it if the open game may be left.
 */
export function receiveFolder(window: BrowserWindow, { composed }: MannerPorts): void {
  const receive = async (event: IpcMainEvent, path: unknown): Promise<void> => {
    if (!isFromPage(window.webContents, event)) return;
    // A drop that has no place on the disk, such as a picture out of a browser, has an empty path.
    const isFolder = typeof path === 'string' && isAbsolute(path) && (await isDirectory(path));
    if (isFolder) composed.offerFolder(path);
    else composed.app.emit('app.noticed', { level: 'info', reason: 'project.notAFolder', details: {} });
  };
  const listener = (event: IpcMainEvent, path: unknown): void => void receive(event, path);
  ipcMain.on(DROP_CHANNEL, listener);
  window.once('closed', () => ipcMain.off(DROP_CHANNEL, listener));
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
