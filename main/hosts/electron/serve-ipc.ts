import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { AppError, type Reply, toErrorData } from '../../../shared/errors.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from '../../../shared/wire.ts';
import type { App } from '../../core/app.ts';
import { PAGE_ORIGIN } from './page-protocol.ts';

/**
 * Carries the app's two verbs to a window. Only the window's own top frame, while it shows our page, is answered: the
 * stage runs the game's scripts in a frame below it. Returns the function that stops it.
 */
export function serveIpc(app: App, page: WebContents): () => void {
  const isOurs = ({ sender, senderFrame }: IpcMainInvokeEvent): boolean =>
    sender === page && senderFrame !== null && senderFrame === page.mainFrame && isPageUrl(senderFrame.url);

  ipcMain.handle(CALL_CHANNEL, (event, method: unknown, input: unknown) =>
    isOurs(event) && typeof method === 'string' ? app.call(method, input) : refusal(),
  );
  const off = app.on((event, payload) => {
    if (!page.isDestroyed()) page.send(EVENT_CHANNEL, event, payload);
  });
  return () => {
    off();
    ipcMain.removeHandler(CALL_CHANNEL);
  };
}

function isPageUrl(url: string): boolean {
  return url === PAGE_ORIGIN || url.startsWith(`${PAGE_ORIGIN}/`);
}

function refusal(): Reply<never> {
  return { ok: false, error: toErrorData(new AppError('E_POLICY_VIOLATION', 'This frame may not talk to the app.')) };
}
