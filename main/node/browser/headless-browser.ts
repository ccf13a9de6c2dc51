import { createSerialQueue, withAbort } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { LocalBrowser } from '../../core/ports/local-browser.ts';
import type { SessionOptions } from './browser-session.ts';
import { type PageTask, toNoPage } from './page-actions.ts';
import type { PageActions } from './page-actions-worker.ts';
import type { ScreenshotFolder } from './screenshot-folder.ts';
import { type BrowserThread, startThread } from './thread/start-thread.ts';

const ACTION_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 5 * 60_000;

export interface HeadlessBrowserOptions extends SessionOptions {
  screenshots: ScreenshotFolder;
  timeout?: number;
}

/** Creates a driver of the installed browser, without a window and in a thread of its own, for pages of this machine only. */
export function createHeadlessBrowser(options: HeadlessBrowserOptions): LocalBrowser {
  const { timeout = ACTION_TIMEOUT_MS, screenshots, ...session } = options;
  let starting: Promise<BrowserThread<PageActions>> | null = null;
  let idle: NodeJS.Timeout | undefined;
  const queue = createSerialQueue();
  let isClosed = false;

  /** Runs actions one at a time, so that a screenshot shows the result of the click before it. */
  function runExclusive<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T> {
    return queue.run(async () => {
      if (signal.aborted || isClosed) throw stopped();
      clearTimeout(idle);
      try {
        return await withAbort(action(), signal, stopped);
      } catch (error) {
        // Ends the browser: the action that still runs in it was cancelled.
        if (signal.aborted) await end();
        throw error;
      } finally {
        idle = setTimeout(() => void end(), IDLE_TIMEOUT_MS).unref();
      }
    });
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const started = starting;
    starting = null;
    await started?.then((thread) => thread.close()).catch(() => undefined);
  }

  function start(): Promise<BrowserThread<PageActions>> {
    if (starting) return starting;
    const task: PageTask = { ...session, timeout };
    const started = startThread<PageActions>({ from: import.meta.url, file: './page-actions-worker', task });
    // A slow earlier browser must not clear the reference to this one: it would never be closed.
    const forget = (): void => {
      if (starting === started) starting = null;
    };
    started.then(({ ended }) => ended.then(forget), forget);
    starting = started;
    return started;
  }

  async function requireThread(): Promise<BrowserThread<PageActions>> {
    if (!starting) throw toNoPage();
    return starting;
  }

  return {
    timeout,

    open: (url, signal) => runExclusive(signal, async () => (await start()).call('open', url)),

    click: (selector, signal) => runExclusive(signal, async () => (await requireThread()).call('click', selector)),

    screenshot: (name, signal) =>
      runExclusive(signal, async () => {
        const picture = await (await requireThread()).call('screenshot');
        return { path: await screenshots.save(name, picture) };
      }),

    async close() {
      isClosed = true;
      await end();
    },
  };
}

function stopped(): AppError {
  return new AppError('E_TIMEOUT', 'The browser was stopped.', { reason: 'tool.stopped' });
}
