import { AppError } from '../../../../shared/errors.ts';
import type { ScriptPage, ScriptPages } from '../../../core/ports/engine-pages.ts';
import { createPlaytestRule } from '../../../network/allowed-addresses.ts';
import { type BrowserProgram, startSession } from '../../browser/browser-session.ts';

const LOAD_TIMEOUT_MS = 60_000;
/** The engine draws with WebGL, which a browser without a graphics card offers only on request. */
const DRAWING_FLAGS = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
/** Small, because nothing is seen; the engine lays out for its own size and scales. */
const VIEWPORT = { width: 640, height: 360 };

/** Opens pages for playtests in the browser of this computer, without a window; each page in a browser of its own. */
export function createBrowserEnginePages(options: {
  environment: Readonly<Record<string, string | undefined>>;
  /** A browser other than the detected one, and what it needs. */
  program?: BrowserProgram;
}): ScriptPages {
  return {
    async open(url, signal) {
      signal.throwIfAborted();
      const { program, environment } = options;
      const session = await startSession(
        { environment, ...(program && { program }), flags: [...DRAWING_FLAGS, ...toWalls(url)], viewport: VIEWPORT },
        { timeout: LOAD_TIMEOUT_MS, onGone: () => undefined },
      );
      const end = async (): Promise<void> => {
        await session.browser.close().catch(() => undefined);
      };
      const stop = (): void => void end();
      signal.addEventListener('abort', stop, { once: true });
      try {
        // Nothing was told of a stop while the browser started.
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
      } catch (cause) {
        await end();
        signal.throwIfAborted();
        throw new AppError('E_PREVIEW_FAIL', 'The engine did not start.', { reason: 'playtest.noStart', cause });
      }
      const page: ScriptPage = {
        evaluate: (script) => session.page.evaluate(script),
        async close() {
          signal.removeEventListener('abort', stop);
          await end();
        },
      };
      return page;
    },
  };
}

/**
 * Switches by which whatever is not a request that a page makes (popups, connections ahead of requests, workers) ends at the
 * stage, too, which refuses every other host. They replace those of every session, which admit other programs of this machine.
 */
function toWalls(url: string): string[] {
  const { host } = new URL(url);
  return [`--proxy-server=http://${host}`, `--proxy-bypass-list=<-loopback>;${host}`];
}
