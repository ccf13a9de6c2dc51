import { app } from 'electron';
import type { AppLog } from './app-log.ts';

/**
 * Logs what nothing in the app has caught, and lets the process live: the page may hold unsaved text, and Electron's own
 * answer to an exception is a dialog that stops the main process. Until `windowOpened` is called there is nothing to
 * protect, so an exception goes to `fail` as well.
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
