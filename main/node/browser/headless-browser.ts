import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createSerialQueue, withAbort } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { LocalBrowser, PageView } from '../../core/ports/local-browser.ts';
import { isLoopbackAddress, isOwnMaking } from '../../network/allowed-addresses.ts';
import {
  type BrowserSession,
  firstLine,
  type HeadlessBrowserOptions,
  MAX_PROBLEM_CHARACTERS,
  startSession,
} from './browser-session.ts';

const ACTION_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** Creates a driver of the installed browser, without a window, for pages of this machine only. */
export function createHeadlessBrowser(options: HeadlessBrowserOptions): LocalBrowser {
  const { timeout = ACTION_TIMEOUT_MS } = options;
  let starting: Promise<BrowserSession> | null = null;
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
    const session = starting;
    starting = null;
    // A browser that did not start, or has crashed, is gone already.
    await session?.then(({ browser }) => browser.close()).catch(() => undefined);
  }

  function open(): Promise<BrowserSession> {
    if (starting) return starting;
    // A slow earlier browser must not clear the reference to this one: it would never be closed.
    const forget = (): void => {
      if (starting === started) starting = null;
    };
    const started = startSession(options, { timeout, onGone: forget }).catch((error: unknown) => {
      forget();
      throw error;
    });
    starting = started;
    return started;
  }

  return {
    timeout,

    open: (url, signal) =>
      runExclusive(signal, async () => {
        if (!isLoopbackAddress(url) || !/^https?:/i.test(url)) throw elsewhere(url);
        const session = await open();
        await openPage(session, url, timeout);
        return view(session);
      }),

    click: (selector, signal) =>
      runExclusive(signal, async () => {
        const session = await requirePage(starting);
        await clickAt(session, selector, timeout);
        return view(session);
      }),

    screenshot: (name, signal) =>
      runExclusive(signal, async () => {
        const picture = await takePicture(await requirePage(starting), timeout);
        return { path: await options.screenshots.save(name, picture) };
      }),

    async close() {
      isClosed = true;
      await end();
    },
  };
}

async function requirePage(starting: Promise<BrowserSession> | null): Promise<BrowserSession> {
  const session = await starting?.catch(() => null);
  if (session && session.page.url() !== 'about:blank') return session;
  throw new AppError('E_BAD_ARGS', 'No page is open.', { hint: 'Call it with action "open" and a url first.' });
}

async function takePicture({ page }: BrowserSession, timeout: number): Promise<Buffer> {
  return page.screenshot({ type: 'png', timeout }).catch((error: unknown) => {
    if (isTimeout(error)) throw late('The picture was not finished', timeout);
    throw new AppError('E_PREVIEW_FAIL', `No picture could be taken: ${firstLine(error)}.`);
  });
}

async function view({ page, problems }: BrowserSession): Promise<PageView> {
  const url = page.url();
  if (!isLoopbackAddress(url) && !isOwnMaking(url)) {
    // The request was blocked, so this is an error page; it is not shown.
    await page.goto('about:blank').catch(() => undefined);
    throw elsewhere(url);
  }
  return { url, title: (await page.title()).slice(0, MAX_PROBLEM_CHARACTERS), problems: problems.splice(0) };
}

async function openPage(session: BrowserSession, url: string, timeout: number): Promise<void> {
  try {
    await goTo(session.page, url, timeout);
  } catch (error) {
    if (isTimeout(error)) throw late(`${url} did not load`, timeout);
    throw new AppError('E_PREVIEW_FAIL', `${url} could not be opened: ${firstLine(error)}.`, {
      details: { url, problems: session.problems.splice(0) },
      hint: 'Check whether a server runs at this address, for example with preview_scene.',
      reason: 'browser.noAnswer',
    });
  }
}

async function clickAt({ page }: BrowserSession, selector: string, timeout: number): Promise<void> {
  try {
    await page.locator(selector).first().click({ timeout });
    await page.waitForLoadState('load', { timeout }).catch(() => undefined);
  } catch (error) {
    if (isTimeout(error)) throw late(`Nothing at "${selector}" could be clicked`, timeout);
    throw new AppError('E_BAD_ARGS', `"${selector}" could not be clicked: ${firstLine(error)}.`, {
      hint: 'Use a CSS selector such as "#start" or "button.next".',
    });
  }
}

/** Navigates. The previous page may still be navigating, or loading the browser's own error page. */
async function goTo(page: Page, url: string, timeout: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await page.goto(url, { waitUntil: 'load', timeout });
      return;
    } catch (error) {
      if (tries === 3 || !/interrupted by another navigation|ERR_ABORTED/.test(firstLine(error))) throw error;
      await sleep(100);
    }
  }
}

function elsewhere(url: string): AppError {
  return new AppError('E_POLICY_VIOLATION', `The browser goes to this machine only, not to ${url.slice(0, 200)}.`, {
    hint: 'Use an address that begins with http://localhost or http://127.0.0.1.',
    reason: 'browser.elsewhere',
  });
}

function late(what: string, timeout: number): AppError {
  return new AppError('E_TIMEOUT', `${what} within ${timeout / 1000} seconds.`, { reason: 'browser.timeout' });
}

function stopped(): AppError {
  return new AppError('E_TIMEOUT', 'The browser was stopped.', { reason: 'tool.stopped' });
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
