/** Lets one call at a time at each file, in the order they came. */
export interface PathQueue {
  /**
   * Runs `work` once every call that came before and names one of these paths has ended. Rejects with what `signal` was
   * ended with when that comes first; then `work` never runs.
   */
  inTurn<T>(paths: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/**
 * A call takes its place in all of its queues at one moment and leaves all of them at one moment, so that no two calls
 * ever wait for each other. Spellings that mean one file on some systems share a queue.
 */
export function createPathQueue(): PathQueue {
  /** Path → settles when the last that came for it has left. */
  const last = new Map<string, Promise<void>>();

  return {
    async inTurn(paths, signal, work) {
      const keys = new Set(paths.map((path) => path.normalize('NFC').toLowerCase()));
      let leave = (): void => undefined;
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const before = Promise.all([...keys].map((key) => last.get(key)));
      // Whoever gives up waiting leaves a place that is free only when those before it are through.
      const place = before.then(() => left);
      for (const key of keys) last.set(key, place);
      try {
        await untilEnded(before, signal);
        return await work();
      } finally {
        leave();
        void place.then(() => {
          for (const key of keys) if (last.get(key) === place) last.delete(key);
        });
      }
    },
  };
}

function untilEnded(waiting: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
