import type { Browser, BrowserContext, LaunchOptions, Page } from 'playwright-core';
import { AppError } from '../../../shared/errors.ts';
import { isLoopbackAddress, isOwnMaking } from '../../network/allowed-addresses.ts';
import { toChildEnvironment } from '../process/child-environment.ts';
import { BROWSER_VARIABLE, findBrowser } from './find-browser.ts';
import { boundBrowser } from './thread/bound-browser.ts';

const START_TIMEOUT_MS = 30_000;
const MAX_PROBLEMS = 50;
export const MAX_PROBLEM_CHARACTERS = 500;
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

/** A browser, and what it needs. */
export interface BrowserProgram {
  executablePath: string;
  args?: string[];
  env?: Record<string, string>;
}

export interface SessionOptions {
  environment: Readonly<Record<string, string | undefined>>;
  /** A browser other than the detected one. */
  program?: BrowserProgram;
  /** Further command-line flags. */
  flags?: readonly string[];
  viewport?: { width: number; height: number };
}

/** A running browser and its one page. */
export interface BrowserSession {
  context: BrowserContext;
  page: Page;
  /** What went wrong in the page since the last view. */
  problems: string[];
  /** Closes the browser; resolves when it has ended. Never rejects. */
  close(): Promise<void>;
}

/**
 * Starts the browser with one empty page. `onGone` is called when it is gone, with the end of its process. This thread ends with it where it needs too much memory.
 */
export async function startSession(
  options: SessionOptions,
  { timeout, onGone }: { timeout: number; onGone: (ended: Promise<void>) => void },
): Promise<BrowserSession> {
  const browser = await launch(options);
  let waitForEnd = async (): Promise<void> => undefined;
  const close = async (): Promise<void> => {
    await browser.close().catch(() => undefined);
    await waitForEnd();
  };
  try {
    waitForEnd = await boundBrowser(browser);
    const context = await browser.newContext({
      acceptDownloads: false,
      serviceWorkers: 'block',
      permissions: [],
      viewport: options.viewport ?? VIEWPORT_SIZE,
      ignoreHTTPSErrors: true,
    });
    context.setDefaultTimeout(timeout);
    const problems: string[] = [];
    const note = (problem: string) => {
      if (problems.length < MAX_PROBLEMS) problems.push(problem.slice(0, MAX_PROBLEM_CHARACTERS));
    };
    await context.addInitScript(CONNECTION_REMOVAL);
    await refuseOtherMachines(context, note);
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
    browser.on('disconnected', () => onGone(waitForEnd()));
    return { context, page, problems, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function refuseOtherMachines(context: BrowserContext, note: (problem: string) => void): Promise<void> {
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
}

async function launch({ environment, program, flags = [] }: SessionOptions): Promise<Browser> {
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
    args: [...HARDENING_FLAGS, ...flags, ...(program?.args ?? [])],
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

/** Returns the library's message, without its call log and colours. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes escape sequences of colours
  return (text.replace(/\u001b\[[\d;]*m/g, '').split('\n')[0] ?? '').slice(0, 300);
}
