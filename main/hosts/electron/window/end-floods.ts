import type { WebContents } from 'electron';
import { createConsoleLimit } from './console-limit.ts';

/** For how long the page may take to remove the frame. */
const GRACE_MS = 250;
/** For how long after that lines of the frame may still arrive. */
const REST_MS = 5_000;

/**
 * Calls `onFlood` when lines come to the console of a page without end, and ends the processes of frames of other origins that are still in it
 * a moment later. Every line passes through the main process, where Chromium lets them queue without limit, until the app has no memory and
 * does not answer. The app's own pages write next to nothing.
 */
export function endFloods(page: WebContents, onFlood: () => void): void {
  const isFlood = createConsoleLimit();
  let restsUntil = Number.NEGATIVE_INFINITY;
  page.on('console-message', (event, _level: unknown, message: string) => {
    const now = performance.now();
    // Newer versions pass all values in the event.
    const text = typeof event.message === 'string' ? event.message : message;
    if (!isFlood(now, text.length)) return;
    if (now > restsUntil) {
      restsUntil = now + GRACE_MS + REST_MS;
      onFlood();
    } else if (now > restsUntil - REST_MS) endForeignFrames(page);
  });
}

function endForeignFrames({ mainFrame }: WebContents): void {
  const own = mainFrame.osProcessId;
  const others = new Set(mainFrame.framesInSubtree.map(({ osProcessId }) => osProcessId));
  for (const id of others) {
    // 0: the process of the frame has ended.
    if (id === own || id <= 0) continue;
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}
