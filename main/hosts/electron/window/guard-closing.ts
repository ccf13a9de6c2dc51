import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserWindow, WebContents } from 'electron';
import { askQuestion } from '../ask-question.ts';
import type { DesktopText } from '../text/desktop-text.ts';

/** How long the page may save before the user is asked, in milliseconds. */
const SAVE_TIMEOUT_MS = 3_000;
const RETRY_MS = 100;
/** Evaluates to true if the page allows unloading. Otherwise the page starts to save (`editor-store.ts`). */
const IS_SAVED = "dispatchEvent(new Event('beforeunload', { cancelable: true }))";

/**
 * Closes the window once the page has saved, and asks the user about text that cannot be saved. The close is intercepted before
 * Chromium asks the page: Chromium treats a page that is busy for half a second as agreeing, and ignores an attempt that
 * overlaps another one.
 */
export function guardClosing(window: BrowserWindow, text: () => DesktopText): void {
  let isClosing = false;
  window.on('close', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    void close().finally(() => {
      isClosing = false;
    });
  });

  async function close(): Promise<void> {
    const done = new AbortController();
    const saved = waitForSaves(window.webContents, done.signal);
    const isQuick = await Promise.race([saved, sleep(SAVE_TIMEOUT_MS, false)]);
    // Saving while the question is open closes the window, too.
    const mayClose = isQuick || (await Promise.race([saved, askToLeave(done.signal)]));
    done.abort();
    if (mayClose && !window.isDestroyed()) window.destroy();
  }

  async function askToLeave(signal: AbortSignal): Promise<boolean> {
    const { message, detail, stay, leave } = text().unsaved;
    const answer = await askQuestion(window, {
      type: 'warning',
      message,
      detail,
      buttons: [stay, leave],
      cancelId: 0,
      signal,
    });
    return answer === 1;
  }
}

/** Resolves to true once everything is saved, to false when aborted. */
async function waitForSaves(page: WebContents, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    // A page whose process has ended cannot save.
    if (page.isDestroyed() || page.isCrashed()) return true;
    if (await page.mainFrame.executeJavaScript(IS_SAVED).catch(() => false)) return true;
    await sleep(RETRY_MS);
  }
  return false;
}
