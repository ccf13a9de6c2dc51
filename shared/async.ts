/**
 * Concurrency helpers that need no machine. `p-queue` is not used: `shared/` imports zod only, and every queue of the app runs one
 * task at a time.
 */

export interface Resolvers<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Creates a promise that is settled from outside. `Promise.withResolvers` is missing in Node 20. */
export function withResolvers<T>(): Resolvers<T> {
  let resolve: Resolvers<T>['resolve'] = () => {};
  let reject: Resolvers<T>['reject'] = () => {};
  const promise = new Promise<T>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}

export interface SerialQueue {
  /** Runs `task` after every earlier task has ended, also after one that failed. Settles as `task` does. */
  run<T>(task: () => T | Promise<T>): Promise<T>;
  /** Resolves when every task added so far has ended; never rejects. */
  idle(): Promise<void>;
}

/** Creates a queue that runs one task at a time, in the order of the calls. A task must not wait for a later one. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const done = last.then(task);
      // The caller receives the failure; later tasks must not be blocked by it.
      last = done.catch(() => undefined);
      return done;
    },
    async idle() {
      await last;
    },
  };
}

/**
 * Returns a function that runs `work`, and once more after it when it was called meanwhile: the last run begins after the
 * last call. The promise settles with the runs that a call starts; a call during a run resolves at once.
 */
export function createRepeater(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  let isStale = false;
  return async () => {
    isStale = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isStale) {
        isStale = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}

/**
 * Settles as `work` does, or rejects when `signal` aborts first: with the signal's reason, or with what `toError` returns.
 * `work` itself goes on; its later result or failure is ignored.
 */
export function withAbort<T>(
  work: Promise<T>,
  signal: AbortSignal,
  toError: () => unknown = () => signal.reason,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(toError());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Waits for `milliseconds`; with 0, until other pending work had its turn. An abort of `signal` ends the wait early. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done, { once: true });
  });
}
