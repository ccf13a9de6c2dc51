/** Longest stretch in which nobody else has a turn, in milliseconds. */
const STRETCH = 20;

/**
 * Keeps what passes. The test may be slow, such as a pattern of a model's over the names of a strange game: others have
 * their turns meanwhile, and a call that is over ends it (rejects with the signal's reason).
 */
export async function filterInTurns<T>(
  items: readonly T[],
  passes: (item: T) => boolean,
  signal: AbortSignal,
): Promise<T[]> {
  const kept: T[] = [];
  let began = Date.now();
  for (const item of items) {
    if (Date.now() - began > STRETCH) {
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
      began = Date.now();
    }
    if (passes(item)) kept.push(item);
  }
  return kept;
}
