import { AppError } from '../../../../shared/errors.ts';
import { createPlaytestRule } from '../../../network/allowed-addresses.ts';
import { type BrowserProgram, type BrowserSession, startSession } from '../../browser/browser-session.ts';

const LOAD_TIMEOUT_MS = 60_000;
/** The engine draws with WebGL, which a browser without a graphics card offers only on request. */
const DRAWING_FLAGS = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
/** Small, because nothing is seen; the engine lays out for its own size and scales. */
const VIEWPORT = { width: 640, height: 360 };

/** Where a page of a playtest is opened. */
export interface EnginePageTask {
  url: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** A browser other than the detected one, and what it needs. */
  program?: BrowserProgram;
}

/**
 * Opens a page of a playtest in a browser of its own, without a window. Throws `E_UNSUPPORTED` where there is none, `E_PREVIEW_FAIL`
 * where the page does not load. `signal` ends the loading, which a script of the game can keep from ending.
 */
export async function openEnginePage(
  { url, environment, program }: EnginePageTask,
  signal: AbortSignal,
): Promise<BrowserSession> {
  const session = await startSession(
    { environment, ...(program && { program }), flags: [...DRAWING_FLAGS, ...toWalls(url)], viewport: VIEWPORT },
    { timeout: LOAD_TIMEOUT_MS, onGone: () => undefined },
  );
  const stop = (): void => void session.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const isAllowed = createPlaytestRule(new URL(url).origin);
    // Narrower than the rule of the session, which admits every program of this machine; for windows that the game opens, too.
    await session.context.route('**', (route) => {
      const request = route.request();
      // Not another error: the browser would show it in the place of the game.
      if (request.isNavigationRequest() && request.url() !== url) return route.abort('aborted');
      return isAllowed(request.url()) ? route.fallback() : route.abort();
    });
    // Not a later state, nor `waitForFunction`: the page's own time stands still until it is asked to run.
    await session.page.goto(url, { waitUntil: 'domcontentloaded', timeout: LOAD_TIMEOUT_MS });
    return session;
  } catch (cause) {
    await session.close();
    throw new AppError('E_PREVIEW_FAIL', 'The engine did not start.', { reason: 'playtest.noStart', cause });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Switches by which whatever is not a request that a page makes (popups, connections ahead of requests, workers) ends at the
 * stage, too, which refuses every other host. They replace those of every session, which admit other programs of this machine.
 */
function toWalls(url: string): string[] {
  const { host } = new URL(url);
  return [`--proxy-server=http://${host}`, `--proxy-bypass-list=<-loopback>;${host}`];
}
