import type { BrowserWindow } from 'electron';
import { askQuestion } from '../ask-question.ts';
import type { AppLog } from '../diagnosis/app-log.ts';
import type { DesktopText } from '../text/desktop-text.ts';

/**
 * Offers to reload the page when its process has ended or does not respond. The app buffers unsaved text
 * (`core/project/unsaved/buffers.ts`), and the page restores it.
 */
export function recoverWindow(window: BrowserWindow, log: AppLog, text: () => DesktopText): void {
  const { webContents } = window;
  let answered: AbortController | null = null;
  /** True while the page's process is terminated on purpose. */
  let isReplacing = false;

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    if (isReplacing) {
      isReplacing = false;
      webContents.reload();
      return;
    }
    log.error('page process', `${reason}, exit code ${exitCode}`);
    // Closes the question about an unresponsive page.
    answered?.abort();
    void ask('gone');
  });
  window.on('unresponsive', () => {
    log.error('page', 'does not answer');
    void ask('unresponsive');
  });
  window.on('responsive', () => answered?.abort());

  async function ask(kind: 'gone' | 'unresponsive'): Promise<void> {
    const own = new AbortController();
    answered = own;
    const { message, detail, accept, refuse } = text()[kind];
    const answer = await askQuestion(window, {
      type: 'warning',
      message,
      detail,
      buttons: [accept, refuse],
      cancelId: 1,
      signal: own.signal,
    });
    if (own.signal.aborted || window.isDestroyed()) return;
    if (kind === 'unresponsive' && answer === 1) return;
    if (answer === 1) window.destroy();
    else reload(kind);
  }

  function reload(kind: 'gone' | 'unresponsive'): void {
    isReplacing = kind === 'unresponsive';
    // An unresponsive page would not handle the reload either; the new one starts when the old process has ended.
    if (isReplacing) webContents.forcefullyCrashRenderer();
    else webContents.reload();
  }
}
