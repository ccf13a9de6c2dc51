import type { TurnLimits } from './turn-guards.ts';

/** Problems of a busy service, which are worth several attempts. */
const BUSY: ReadonlySet<string> = new Set(['rate', 'overloaded']);

/**
 * Returns the milliseconds to wait before a failed step is repeated for the `tried`th time, or null when it is not repeated: after the
 * last attempt, or when the service asks for a longer wait than a user would sit through.
 */
export function toRetryPause(
  { problem, retryAfter }: { problem: string; retryAfter?: number | undefined },
  tried: number,
  { retries, retryPause, longestWait }: Pick<TurnLimits, 'retries' | 'retryPause' | 'longestWait'>,
): number | null {
  if (tried > (BUSY.has(problem) ? retries : 1)) return null;
  const pause = retryAfter ?? retryPause * 2 ** (tried - 1);
  return pause <= longestWait ? pause : null;
}
