import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError, fromErrorData } from '../../../../shared/errors.ts';
import type { ScriptPage, ScriptPages } from '../../../core/ports/engine-pages.ts';
import type { PageNews, PageOrder, PageTask } from './page-messages.ts';

/**
 * Opens pages as `createBrowserEnginePages` does, each driven by a thread of its own: what a game makes the browser report cannot fill or end
 * the app. A thread that has too much of it ends, and calls reject with `E_TIMEOUT`. Profiles of browsers are folders in `parent`.
 */
export function createThreadedPages(task: Omit<PageTask, 'url'>, parent = tmpdir()): ScriptPages {
  return {
    async open(url, signal) {
      signal.throwIfAborted();
      // The browser's profile is in it, which a thread that ends by itself cannot remove.
      const folder = await mkdtemp(path.join(parent, 'webgal-agent-page-'));
      const thread = startThread({ ...task, url }, folder);
      const stop = (): void => void thread.close();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await thread.opened;
      } catch (error) {
        signal.removeEventListener('abort', stop);
        signal.throwIfAborted();
        throw error;
      }
      const page: ScriptPage = {
        evaluate: (script) => thread.evaluate(script),
        async close() {
          signal.removeEventListener('abort', stop);
          await thread.close();
        },
      };
      return page;
    },
  };
}

interface PageThread {
  opened: Promise<void>;
  evaluate(script: string): Promise<string | null>;
  /** Resolves once the browser and the thread have ended. */
  close(): Promise<void>;
}

function startThread(task: PageTask, folder: string): PageThread {
  const worker = startWorker(task, folder);
  const opened = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const calls = new Map<number, PromiseWithResolvers<string | null>>();
  let lastId = 0;
  let end: AppError | null = null;
  opened.promise.catch(() => undefined);

  const fail = (error: AppError): void => {
    end ??= error;
    opened.reject(end);
    for (const { reject } of calls.values()) reject(end);
    calls.clear();
  };
  const settle = (id: number) => {
    const call = calls.get(id);
    calls.delete(id);
    return call;
  };
  worker.on('message', (news: PageNews) => {
    if (news.kind === 'opened') opened.resolve();
    else if (news.kind === 'answered') settle(news.id)?.resolve(news.text);
    else if (news.kind === 'failed') settle(news.id)?.reject(new Error(news.problem));
    else {
      fail(news.error ? fromErrorData(news.error) : toEnd());
      void worker.terminate();
    }
  });
  // A text that is too long for the runtime, or no memory: the exit follows.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    fail(toEnd());
    gone.resolve(rm(folder, { recursive: true, force: true, maxRetries: 20 }).catch(() => undefined));
  });
  const order = (message: PageOrder): void => worker.postMessage(message);

  return {
    opened: opened.promise,
    evaluate(script) {
      if (end) return Promise.reject(end);
      lastId += 1;
      const call = Promise.withResolvers<string | null>();
      calls.set(lastId, call);
      order({ kind: 'evaluate', id: lastId, script });
      return call.promise;
    },
    async close() {
      order({ kind: 'close' });
      await gone.promise;
    },
  };
}

const toEnd = () => new AppError('E_TIMEOUT', 'The page of the game has ended.');

/** Runs the source file in development; a bundle has the built file beside it. */
function startWorker(task: PageTask, folder: string): Worker {
  const file = import.meta.url.endsWith('.ts') ? './browser-page-worker.ts' : './browser-page-worker.cjs';
  return new Worker(new URL(file, import.meta.url), {
    workerData: task,
    execArgv: [],
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
}
