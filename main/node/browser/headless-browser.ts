import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, LaunchOptions, Page } from 'playwright-core';
import { createSerialQueue, withAbort } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { LocalBrowser, PageView } from '../../core/ports.ts';
import { toChildEnvironment } from '../process/child-environment.ts';
import { BROWSER_VARIABLE, findBrowser } from './find-browser.ts';
import { isLoopbackAddress, isOwnMaking } from './loopback-address.ts';
import type { ScreenshotFolder } from './screenshot-folder.ts';

const ACTION_TIMEOUT_MS = 15_000;
const START_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 5 * 60_000;
const MAX_PROBLEMS = 50;
const MAX_PROBLEM_CHARACTERS = 500;
const VIEWPORT_SIZE = { width: 1280, height: 720 };
const LOOPBACK = 'localhost,127.0.0.1,[::1]';

/**
 * Every request is checked before it is sent (below). These flags cover what is not an interceptable request: redirects,
 * DNS prefetch, sockets of every kind. Only names of this machine resolve, and all other traffic goes to a proxy that
 * does not exist.
 */
const HARDENING_FLAGS = [
  `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]`,
  '--proxy-server=http://127.0.0.1:9',
  `--proxy-bypass-list=<-loopback>;${LOOPBACK.replaceAll(',', ';')}`,
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--mute-audio',
];

/** Removes the APIs for connections that no request represents, before any script of the page runs. */
const CONNECTION_REMOVAL = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport'])
  delete globalThis[name];`;

export interface HeadlessBrowserOptions {
  environment: Readonly<Record<string, string | undefined>>;
  screenshots: ScreenshotFolder;
  /** A browser other than the detected one, and what it needs. */
  program?: { executablePath: string; args?: string[]; env?: Record<string, string> };
  timeout?: number;
}

interface Session {
  browser: Browser;
  context: BrowserContext;
  page: Page;
  problems: string[];
}

/** Creates a driver of the installed browser, without a window, for pages of this machine only. */
export function createHeadlessBrowser(options: HeadlessBrowserOptions): LocalBrowser {
  const { timeout = ACTION_TIMEOUT_MS } = options;
  let starting: Promise<Session> | null = null;
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

  async function start(onGone: () => void): Promise<Session> {
    const browser = await launch(options);
    try {
      const context = await browser.newContext({
        acceptDownloads: false,
        serviceWorkers: 'block',
        permissions: [],
        viewport: VIEWPORT_SIZE,
        ignoreHTTPSErrors: true,
      });
      context.setDefaultTimeout(timeout);
      const problems: string[] = [];
      const note = (problem: string) => {
        if (problems.length < MAX_PROBLEMS) problems.push(problem.slice(0, MAX_PROBLEM_CHARACTERS));
      };
      await context.addInitScript(CONNECTION_REMOVAL);
      await context.route(
        () => true,
        async (route) => {
          const address = route.request().url();
          if (isLoopbackAddress(address) || (isOwnMaking(address) && !route.request().isNavigationRequest())) {
            return route.continue();
          }
          note(`refused: ${address}`);
          return route.abort('blockedbyclient');
        },
      );
      await context.routeWebSocket(
        () => true,
        (socket) => {
          if (isLoopbackAddress(socket.url())) socket.connectToServer();
          else {
            note(`refused: ${socket.url()}`);
            void socket.close({ code: 1008, reason: 'not this machine' });
          }
        },
      );
      const page = await context.newPage();
      context.on('page', (other) => {
        // No result shows a second window.
        if (other !== page) void other.close().catch(() => undefined);
      });
      page.on('download', (download) => void download.cancel().catch(() => undefined));
      page.on('pageerror', (error) => note(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') note(message.text());
      });
      browser.on('disconnected', onGone);
      return { browser, context, page, problems };
    } catch (error) {
      await browser.close().catch(() => undefined);
      throw error;
    }
  }

  function open(): Promise<Session> {
    if (starting) return starting;
    // A slow earlier browser must not clear the reference to this one: it would never be closed.
    const forget = (): void => {
      if (starting === started) starting = null;
    };
    const started = start(forget).catch((error: unknown) => {
      forget();
      throw error;
    });
    starting = started;
    return started;
  }

  async function requirePage(): Promise<Session> {
    const session = await starting?.catch(() => null);
    if (session && session.page.url() !== 'about:blank') return session;
    throw new AppError('E_BAD_ARGS', 'No page is open.', { hint: 'Call it with action "open" and a url first.' });
  }

  async function view({ page, problems }: Session): Promise<PageView> {
    const url = page.url();
    if (!isLoopbackAddress(url) && !isOwnMaking(url)) {
      // The request was blocked, so this is an error page; it is not shown.
      await page.goto('about:blank').catch(() => undefined);
      throw elsewhere(url);
    }
    return { url, title: (await page.title()).slice(0, MAX_PROBLEM_CHARACTERS), problems: problems.splice(0) };
  }

  return {
    timeout,

    open: (url, signal) =>
      runExclusive(signal, async () => {
        if (!isLoopbackAddress(url) || !/^https?:/i.test(url)) throw elsewhere(url);
        const session = await open();
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
        return view(session);
      }),

    click: (selector, signal) =>
      runExclusive(signal, async () => {
        const session = await requirePage();
        try {
          await session.page.locator(selector).first().click({ timeout });
          await session.page.waitForLoadState('load', { timeout }).catch(() => undefined);
        } catch (error) {
          if (isTimeout(error)) throw late(`Nothing at "${selector}" could be clicked`, timeout);
          throw new AppError('E_BAD_ARGS', `"${selector}" could not be clicked: ${firstLine(error)}.`, {
            hint: 'Use a CSS selector such as "#start" or "button.next".',
          });
        }
        return view(session);
      }),

    screenshot: (name, signal) =>
      runExclusive(signal, async () => {
        const { page } = await requirePage();
        const picture = await page.screenshot({ type: 'png', timeout }).catch((error: unknown) => {
          if (isTimeout(error)) throw late('The picture was not finished', timeout);
          throw new AppError('E_PREVIEW_FAIL', `No picture could be taken: ${firstLine(error)}.`);
        });
        return { path: await options.screenshots.save(name, picture) };
      }),

    async close() {
      isClosed = true;
      await end();
    },
  };
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

async function launch({ environment, program }: HeadlessBrowserOptions): Promise<Browser> {
  const executablePath = program?.executablePath ?? (await findBrowser(environment));
  if (executablePath === null) {
    throw new AppError('E_UNSUPPORTED', 'No browser was found on this computer.', {
      hint: `Install Google Chrome, Microsoft Edge or Chromium, or name one in the variable ${BROWSER_VARIABLE}.`,
      reason: 'browser.none',
    });
  }
  // Loaded on demand: most games need no browser, and the library is large.
  const { chromium } = await import('playwright-core');
  const launchOptions: LaunchOptions = {
    executablePath,
    headless: true,
    // Chromium refuses to run with a sandbox as root, as in a container.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...HARDENING_FLAGS, ...(program?.args ?? [])],
    env: { ...toChildEnvironment(environment), ...program?.env },
    timeout: START_TIMEOUT_MS,
    // The host decides when it ends, and closes the browser then.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
  return chromium.launch(launchOptions).catch((error: unknown) => {
    throw new AppError('E_UNSUPPORTED', 'The browser of this computer could not be started.', {
      hint: `Another one can be named in the variable ${BROWSER_VARIABLE}.`,
      details: { problem: firstLine(error) },
      reason: 'browser.none',
      cause: error,
    });
  });
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

/** Returns the library's message, without its call log and colours. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes escape sequences of colours
  return (text.replace(/\u001b\[[\d;]*m/g, '').split('\n')[0] ?? '').slice(0, 300);
}
