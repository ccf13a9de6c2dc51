import { setImmediate as nextTurn } from 'node:timers/promises';

/** A longer slice would delay a click or a key noticeably. */
const SLICE_MS = 8;

/**
 * Returns a function to await between the parts of long work with blocking calls, which are cheaper than round trips through the
 * thread pool: it yields the event loop once a slice of time is over.
 */
export function createSlices(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await nextTurn();
    since = performance.now();
  };
}

/** Starts `work` for each item, in order and in slices, and waits for all of it. Its blocking part comes before its first wait. */
export async function settleInSlices<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const started: Promise<R>[] = [];
  const rest = createSlices();
  for (const item of items) {
    const one = work(item);
    // Its failure is reported with the others; until then it has a handler.
    one.catch(() => undefined);
    started.push(one);
    await rest();
  }
  return Promise.allSettled(started);
}
