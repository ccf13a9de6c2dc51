import { ipcMain, type WebContents } from 'electron';
import { AppError, type Reply, toErrorData } from '../../../shared/errors.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from '../../../shared/wire.ts';
import type { App } from '../../core/app.ts';
import { isFromPage } from './is-from-page.ts';

/**
 * Serves the app's calls and events to a window over IPC. Answers only the window's own top frame while it shows the app's page,
 * because the stage runs the game's scripts in a child frame. Calls wait for `opening` and fail if it fails. `onCall` runs for
 * each call: the page subscribes to events before its first one. Returns a function that stops serving.
 */
export function serveIpc(opening: Promise<App>, page: WebContents, onCall: () => void): () => void {
  ipcMain.handle(CALL_CHANNEL, async (event, method: unknown, input: unknown) => {
    if (!isFromPage(page, event) || typeof method !== 'string') return refusal();
    onCall();
    return (await opening).call(method, input);
  });
  let off: (() => void) | null = null;
  let isStopped = false;
  opening.then(
    (app) => {
      if (isStopped) return;
      off = app.on((event, payload) => {
        if (!page.isDestroyed() && !page.isCrashed()) page.send(EVENT_CHANNEL, event, payload);
      });
    },
    // The failure is reported where the app is opened.
    () => undefined,
  );
  return () => {
    isStopped = true;
    off?.();
    ipcMain.removeHandler(CALL_CHANNEL);
  };
}

function refusal(): Reply<never> {
  return { ok: false, error: toErrorData(new AppError('E_POLICY_VIOLATION', 'This frame may not call the app.')) };
}
