import { withAbort } from '../../../../shared/async.ts';
/** Runs one call at a time per file, in order of arrival. */
export interface PathQueue {
  /**
   * Runs `work` after every earlier call with one of these paths has ended. Rejects with the signal's reason when it aborts first;
   * then `work` never runs.
   */
  runExclusive<T>(paths: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/**
 * Creates a queue per file. A call enters and leaves all of its queues at once, which rules out deadlocks. Spellings that are one
 * file on some systems share a queue.
 */
export function createPathQueue(): PathQueue {
  /** Path → settles when the last call of that path has ended. */
  const last = new Map<string, Promise<void>>();

  return {
    async runExclusive(paths, signal, work) {
      const keys = new Set(paths.map((path) => path.normalize('NFC').toLowerCase()));
      let leave = (): void => undefined;
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const before = Promise.all([...keys].map((key) => last.get(key)));
      // The place of an aborted call is released after those before it.
      const place = before.then(() => left);
      for (const key of keys) last.set(key, place);
      try {
        await withAbort(before, signal);
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
