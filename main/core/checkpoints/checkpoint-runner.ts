import { createSerialQueue } from '../../../shared/async.ts';
import type { Emit } from '../../../shared/contract.ts';
import type { CheckpointProgress } from '../../../shared/model/checkpoint.ts';
import type { CheckpointWork } from '../ports/stores/checkpoints.ts';

export interface CheckpointRunner {
  /** Runs work that can be cancelled after all earlier work, and reports its progress. */
  run<T>(work: CheckpointProgress['work'], task: (context: CheckpointWork) => Promise<T>): Promise<T>;
  /** Cancels what runs. */
  stop(): void;
  isClosed(): boolean;
  /** Cancels all work; resolves when none runs any more. */
  close(): Promise<void>;
}

/** Creates the queue of work that reads or writes many files. */
export function createCheckpointRunner(emit: Emit): CheckpointRunner {
  const queue = createSerialQueue();
  let running: AbortController | undefined;
  let isClosed = false;
  return {
    run: (work, task) =>
      queue.run(async () => {
        const stop = new AbortController();
        running = stop;
        if (isClosed) stop.abort();
        try {
          return await task({
            signal: stop.signal,
            onProgress: (progress) => emit('checkpoints.progressed', { progress: { work, ...progress } }),
          });
        } finally {
          running = undefined;
          emit('checkpoints.progressed', { progress: null });
        }
      }),
    stop: () => running?.abort(),
    isClosed: () => isClosed,
    async close() {
      isClosed = true;
      running?.abort();
      await queue.idle();
    },
  };
}
