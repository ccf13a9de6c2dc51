import { app } from 'electron';
import type { AppLog } from './app-log.ts';

/**
 * Logs uncaught exceptions and unhandled rejections without ending the process: the page may have unsaved text, and Electron's
 * default is a dialog that blocks the main process. Until `windowOpened` is called there is no text to lose, so an exception
 * is passed to `fail` as well.
 */
export function watchFaults(log: AppLog, fail: (error: unknown) => void): { windowOpened(): void } {
  let isOpen = false;
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', error);
    if (!isOpen) fail(error);
  });
  process.on('unhandledRejection', (reason) => log.error('unhandled rejection', reason));
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit') log.error(`${type} process`, `${reason}, exit code ${exitCode}`);
  });
  return {
    windowOpened() {
      isOpen = true;
    },
  };
}
