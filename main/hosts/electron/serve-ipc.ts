import { ipcMain, type WebContents } from 'electron';
import { AppError, type Reply, toErrorData } from '../../../shared/errors.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from '../../../shared/wire.ts';
import type { App } from '../../core/app.ts';
import { isFromPage } from './page-frame.ts';

/**
 * Carries the app's two verbs to a window. Only the window's own top frame, while it shows our page, is answered: the
 * stage runs the game's scripts in a frame below it. Calls wait for `opening`; when that fails
 * they fail too. Returns the function that stops it.
 */
export function serveIpc(opening: Promise<App>, page: WebContents): () => void {
  ipcMain.handle(CALL_CHANNEL, async (event, method: unknown, input: unknown) =>
    isFromPage(page, event) && typeof method === 'string' ? (await opening).call(method, input) : refusal(),
  );
  let off: (() => void) | null = null;
  let isStopped = false;
  opening.then(
    (app) => {
      if (isStopped) return;
      off = app.on((event, payload) => {
        if (!page.isDestroyed() && !page.isCrashed()) page.send(EVENT_CHANNEL, event, payload);
      });
    },
    // What opens the app reports why it failed.
    () => undefined,
  );
  return () => {
    isStopped = true;
    off?.();
    ipcMain.removeHandler(CALL_CHANNEL);
  };
}

function refusal(): Reply<never> {
  return { ok: false, error: toErrorData(new AppError('E_POLICY_VIOLATION', 'This frame may not talk to the app.')) };
}
