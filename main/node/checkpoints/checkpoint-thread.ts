import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createSerialQueue } from '../../../shared/async.ts';
import { AppError, fromErrorData } from '../../../shared/errors.ts';
import type { CheckpointTasks, TaskAnswer, TaskMessage } from './checkpoint-task.ts';

/** Interval in which progress is passed on. */
const GLANCE_MS = 100;

/** Creates the runner of tasks for one store. Its thread starts with the first task and does not keep the process running. */
export function createCheckpointThread(store: string): CheckpointTasks {
  const queue = createSerialQueue();
  const shared = new Float64Array(new SharedArrayBuffer(4 * Float64Array.BYTES_PER_ELEMENT));
  let worker: Worker | undefined;
  let isClosed = false;

  function start(): Worker {
    const started = startWorker(shared.buffer as SharedArrayBuffer);
    started.unref();
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    // A failure is reported to the task that waits; without one it must not end the app.
    started.on('error', () => undefined);
    return started;
  }

  async function ask(message: TaskMessage, work: Parameters<CheckpointTasks['run']>[2]): Promise<unknown> {
    if (isClosed) throw new AppError('E_UNSUPPORTED', 'The game was closed.', { reason: 'project.noneOpen' });
    shared.fill(0);
    worker ??= start();
    const asked = worker;
    const done = new AbortController();
    const { signal, onProgress } = work ?? {};
    const stop = () => {
      shared[0] = 1;
    };
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { signal: done.signal });
    const glance = () => onProgress?.(shared[1] ?? 0, shared[2] ?? 0, shared[3] ?? 0);
    const timer = onProgress && setInterval(glance, GLANCE_MS);
    asked.ref();
    try {
      const answer = await new Promise<TaskAnswer>((resolve, reject) => {
        const onExit = () => reject(new Error('The checkpoint thread ended.'));
        asked.once('message', resolve);
        asked.once('error', reject);
        asked.once('exit', onExit);
        done.signal.addEventListener('abort', () => {
          asked.off('message', resolve);
          asked.off('error', reject);
          asked.off('exit', onExit);
        });
        asked.postMessage(message);
      });
      if (!answer.ok) throw fromErrorData(answer.error);
      return answer.output;
    } finally {
      clearInterval(timer);
      done.abort();
      asked.unref();
    }
  }

  return {
    run: (kind, input, work) =>
      queue.run(() => ask({ kind, store, input }, work)) as ReturnType<CheckpointTasks['run']>,
    async close() {
      isClosed = true;
      shared[0] = 1;
      await queue.idle();
      await worker?.terminate();
    },
  };
}

/** Runs the source file in development; a bundle has the built file beside it, passed as text (see the search thread). */
function startWorker(shared: SharedArrayBuffer): Worker {
  const options = { workerData: shared, env: {}, execArgv: [] };
  if (import.meta.url.endsWith('.ts')) return new Worker(new URL('./checkpoint-worker.ts', import.meta.url), options);
  return new Worker(readFileSync(new URL('./checkpoint-worker.cjs', import.meta.url), 'utf8'), {
    ...options,
    eval: true,
  });
}
