import { delay } from '../../../shared/async.ts';

/** Milliseconds after which the event loop is yielded. */
const SLICE_MS = 20;

/**
 * Filters a list without blocking the event loop, for tests that may be slow, such as a model's pattern over the file names of a
 * game. Rejects with the signal's reason when it aborts.
 */
export async function filterInTurns<T>(
  items: readonly T[],
  passes: (item: T) => boolean,
  signal: AbortSignal,
): Promise<T[]> {
  const kept: T[] = [];
  let began = Date.now();
  for (const item of items) {
    if (Date.now() - began > SLICE_MS) {
      await delay(0);
      signal.throwIfAborted();
      began = Date.now();
    }
    if (passes(item)) kept.push(item);
  }
  return kept;
}
