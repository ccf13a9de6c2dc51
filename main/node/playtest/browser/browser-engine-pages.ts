import { AppError } from '../../../../shared/errors.ts';
import { type ScriptPage, type ScriptPages, toMemoryEnd } from '../../../core/ports/engine-pages.ts';
import { startThread } from '../../browser/thread/start-thread.ts';
import type { EnginePageTask } from './engine-page-session.ts';
import type { EnginePageService } from './engine-page-worker.ts';

/**
 * Opens pages for playtests in the browser of this computer, without a window; each page in a browser of its own, driven by a thread of
 * its own. Profiles of browsers are folders in `parent`. Calls throw `E_TIMEOUT` (`playtest.memory`) where the game needs too much memory.
 */
export function createBrowserEnginePages(options: Omit<EnginePageTask, 'url'>, parent?: string): ScriptPages {
  return {
    async open(url, signal) {
      signal.throwIfAborted();
      const task: EnginePageTask = { ...options, url };
      const where = { from: import.meta.url, file: './engine-page-worker', ...(parent !== undefined && { parent }) };
      const thread = await startThread<EnginePageService>({ ...where, task });
      let isClosed = false;
      const close = (): Promise<void> => {
        isClosed = true;
        return thread.close();
      };
      const stop = (): void => void close();
      /** A thread that is not closed ends for its memory or that of its browser alone. */
      const toCause = (error: unknown): never => {
        const isEnd = !isClosed && error instanceof AppError && error.reason === 'browser.ended';
        throw isEnd ? toMemoryEnd(error) : error;
      };
      signal.addEventListener('abort', stop, { once: true });
      try {
        // Nothing was told of a stop while the thread started.
        signal.throwIfAborted();
        await thread.call('open').catch(toCause);
      } catch (error) {
        signal.removeEventListener('abort', stop);
        await close();
        signal.throwIfAborted();
        throw error;
      }
      const page: ScriptPage = {
        evaluate: (script) => thread.call('evaluate', script).catch(toCause),
        async close() {
          signal.removeEventListener('abort', stop);
          await close();
        },
      };
      return page;
    },
  };
}
