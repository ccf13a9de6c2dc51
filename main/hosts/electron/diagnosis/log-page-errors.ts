import type { WebContents } from 'electron';
import { PAGE_ORIGIN } from '../page-protocol.ts';
import type { AppLog } from './app-log.ts';

/** The level of `console.error` where it still is a number (Electron 34 and older). */
const ERROR_LEVEL = 3;
const MAX_LINES_PER_PAGE = 200;

/** Logs errors that our page writes to its console. Those of the stage are the game's, and stay out. */
export function logPageErrors(page: WebContents, log: AppLog): void {
  let count = 0;
  page.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) count = 0;
  });
  page.on('console-message', (event, level: unknown, message: string, line: number, source: string) => {
    // Newer versions carry everything in the event.
    const said = typeof event.level === 'string' ? event : { level, message, lineNumber: line, sourceId: source };
    if (said.level !== 'error' && said.level !== ERROR_LEVEL) return;
    if (!said.sourceId.startsWith(`${PAGE_ORIGIN}/`)) return;
    count += 1;
    // A page that fails in a loop must not push everything else out of the log.
    if (count > MAX_LINES_PER_PAGE) return;
    const file = said.sourceId.split('/').at(-1);
    log.error(`page ${file}:${said.lineNumber}`, said.message.split('\n')[0] ?? '');
  });
}
