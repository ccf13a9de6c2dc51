import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { AppError } from '../../../shared/errors.ts';
import type { PageView } from '../../core/ports/local-browser.ts';
import { isLoopbackAddress, isOwnMaking } from '../../network/allowed-addresses.ts';
import {
  type BrowserSession,
  firstLine,
  MAX_PROBLEM_CHARACTERS,
  type SessionOptions,
  startSession,
} from './browser-session.ts';

const NAVIGATION_TRIES = 5;

/** How pages are opened. */
export interface PageTask extends SessionOptions {
  /** The timeout of one action, in milliseconds. */
  timeout: number;
}

/** Performs the actions of `LocalBrowser` in one page. The browser is started at the first `open`; `onGone`: see `startSession`. */
export function createPageActions({ timeout, ...options }: PageTask, onGone: (ended: Promise<void>) => void) {
  let starting: Promise<BrowserSession> | null = null;

  return {
    async open(url: string): Promise<PageView> {
      if (!isLoopbackAddress(url) || !/^https?:/i.test(url)) throw elsewhere(url);
      starting ??= startSession(options, { timeout, onGone });
      const session = await starting.catch((error: unknown) => {
        starting = null;
        throw error;
      });
      await openPage(session, url, timeout);
      return view(session);
    },

    async click(selector: string): Promise<PageView> {
      const session = await requirePage(starting);
      await clickAt(session, selector, timeout);
      return view(session);
    },

    /** Returns a picture of what is visible, as PNG. */
    async screenshot(): Promise<Uint8Array> {
      return takePicture(await requirePage(starting), timeout);
    },

    async close(): Promise<void> {
      // A browser that did not start, or has crashed, is gone already.
      await starting?.then(({ close }) => close()).catch(() => undefined);
    },
  };
}

export function toNoPage(): AppError {
  return new AppError('E_BAD_ARGS', 'No page is open.', { hint: 'Call it with action "open" and a url first.' });
}

async function requirePage(starting: Promise<BrowserSession> | null): Promise<BrowserSession> {
  const session = await starting?.catch(() => null);
  if (session && session.page.url() !== 'about:blank') return session;
  throw toNoPage();
}

async function takePicture({ page }: BrowserSession, timeout: number): Promise<Uint8Array> {
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

/**
 * Navigates. The previous page, or a try before this one, may still be navigating, or loading the browser's own error page: each try
 * waits longer, so that it can end.
 */
async function goTo(page: Page, url: string, timeout: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await page.goto(url, { waitUntil: 'load', timeout });
      return;
    } catch (error) {
      if (tries === NAVIGATION_TRIES || !/interrupted by another navigation|ERR_ABORTED/.test(firstLine(error)))
        throw error;
      await sleep(100 * 2 ** (tries - 1));
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

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
