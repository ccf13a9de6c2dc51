import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type BrowserWindow, type IpcMainEvent, ipcMain } from 'electron';
import { DROP_CHANNEL } from '../../../../shared/wire.ts';
import { isFromPage } from '../is-from-page.ts';
import type { IntegrationPorts } from './integration-ports.ts';

/**
 * Opens a folder that is dropped on the window. The preload sends the path over a separate channel, so it is not exposed to
 * the page; the page receives an id and opens it if the open game may be closed.
 */
export function receiveFolder(window: BrowserWindow, { composed }: IntegrationPorts): void {
  const receive = async (event: IpcMainEvent, path: unknown): Promise<void> => {
    if (!isFromPage(window.webContents, event)) return;
    // A drop without a file on disk, such as an image from a browser, has an empty path.
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
