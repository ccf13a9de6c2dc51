import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createSerialQueue } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { SpokenMatch } from '../../../core/ports/logs.ts';
import { toStoppedError } from '../../files/io-error.ts';
import { type SessionSearchAnswer, type SessionSearchTask, STOP } from './session-search-task.ts';

const MEMORY_MB = 128;
/** The thread ends after this time without a task. */
const IDLE_MS = 30_000;

/** Searches logs in a thread of its own, one at a time. */
export interface SessionSearch {
  search(task: SessionSearchTask, signal: AbortSignal): Promise<SpokenMatch[]>;
  close(): Promise<void>;
}

/** In development the thread runs the source file; a bundle has the built file beside it, passed as text. */
function startThread(): Worker {
  const options = { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB }, env: {}, execArgv: [] };
  if (import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./session-search-worker.ts', import.meta.url), options);
  const code = readFileSync(new URL('./session-search-worker.cjs', import.meta.url), 'utf8');
  return new Worker(code, { ...options, eval: true });
}

export function createSessionSearch(): SessionSearch {
  const queue = createSerialQueue();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    if (thread) return thread;
    const started = startThread();
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (thread === started) thread = undefined;
    });
    thread = started;
    return started;
  }

  function end(): Promise<unknown> {
    const ended = thread;
    thread = undefined;
    return ended?.terminate() ?? Promise.resolve();
  }

  async function ask(task: SessionSearchTask, signal: AbortSignal): Promise<SpokenMatch[]> {
    if (signal.aborted) throw toStoppedError('The search');
    clearTimeout(idle);
    const asked = start();
    asked.ref();
    const done = new AbortController();
    try {
      const answer = await new Promise<SessionSearchAnswer>((resolve, reject) => {
        const onExit = () => reject(new AppError('E_INTERNAL', 'The search ended by itself.'));
        // The thread answers at its next line. Ending it would leave its file open.
        const onStop = () => asked.postMessage(STOP);
        asked.once('message', resolve);
        asked.once('exit', onExit);
        signal.addEventListener('abort', onStop, { signal: done.signal });
        done.signal.addEventListener('abort', () => {
          asked.off('message', resolve);
          asked.off('exit', onExit);
        });
        asked.postMessage(task);
      });
      if (signal.aborted) throw toStoppedError('The search');
      if ('failure' in answer) throw new AppError('E_IO', `"${task.name}" could not be searched: ${answer.failure}`);
      return answer.matches;
    } finally {
      done.abort();
      asked.unref();
      idle = setTimeout(() => void end(), IDLE_MS);
      idle.unref();
    }
  }

  return {
    search: (task, signal) => queue.run(() => ask(task, signal)),
    async close() {
      clearTimeout(idle);
      await end();
    },
  };
}
