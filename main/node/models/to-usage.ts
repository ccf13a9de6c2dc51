import type { LanguageModelUsage } from 'ai';
import type { Usage } from '../../../shared/model/cost/usage.ts';

/**
 * Reads the usage of a step; null: the service did not send it. The SDK fills in zeros where a service sends only a part, so its own
 * words decide.
 */
export function toUsage({ inputTokens, outputTokens, inputTokenDetails, raw }: LanguageModelUsage): Usage {
  const input = toCount(inputTokens);
  // No request is without input: a service that says so does not count.
  if (input === null || input === 0) return { input: null, cached: null, output: toCount(outputTokens) || null };
  const written = toCount(inputTokenDetails.cacheWriteTokens);
  return {
    input,
    cached: saysCached(raw) ? toCount(inputTokenDetails.cacheReadTokens) : null,
    output: toCount(outputTokens),
    ...(written !== null && written > 0 && { written }),
  };
}

/** No request has more tokens; a larger count is nonsense, and sums of it would not be exact. */
const MAX_COUNT = 1_000_000_000;

function toCount(value: number | undefined): number | null {
  return value !== undefined && value >= 0 && value <= MAX_COUNT ? Math.round(value) : null;
}

/** True when the service's own words name its cache, or when they are of Google's API, which leaves out a zero. */
function saysCached(raw: unknown): boolean {
  return /cache|promptTokenCount/i.test(JSON.stringify(raw) ?? '');
}
