import type { WebContents } from 'electron';
import { PAGE_ORIGIN } from '../page-protocol.ts';
import type { AppLog } from './app-log.ts';

/** The level of `console.error` where levels are numbers (Electron 34 and older). */
const ERROR_LEVEL = 3;
const MAX_LINES_PER_PAGE = 200;

/** Logs console errors of the app's page. Errors of the stage belong to the game and are not logged. */
export function logPageErrors(page: WebContents, log: AppLog): void {
  let count = 0;
  page.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) count = 0;
  });
  page.on('console-message', (event, level: unknown, message: string, line: number, source: string) => {
    // Newer versions pass all values in the event.
    const entry = typeof event.level === 'string' ? event : { level, message, lineNumber: line, sourceId: source };
    if (entry.level !== 'error' && entry.level !== ERROR_LEVEL) return;
    if (!entry.sourceId.startsWith(`${PAGE_ORIGIN}/`)) return;
    count += 1;
    // A page that fails in a loop must not displace all other lines.
    if (count > MAX_LINES_PER_PAGE) return;
    const file = entry.sourceId.split('/').at(-1);
    log.error(`page ${file}:${entry.lineNumber}`, entry.message.split('\n')[0] ?? '');
  });
}
