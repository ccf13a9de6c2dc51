const SECONDS_IN_TEXT = /(?:retryDelay"?\s*:\s*"|try again in |retry after |retry in )(\d+(?:\.\d+)?)\s*(ms|s|m\b)?/i;

/**
 * Returns the milliseconds after which a provider wants the next request: from the header, in seconds or as a date, or from the
 * text (Google and OpenAI). Null when it names none.
 */
export function toRetryAfter(
  headers: Readonly<Record<string, string>> | undefined,
  said: string,
  now = Date.now(),
): number | null {
  const exact = Number(headers?.['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const named = headers?.['retry-after'];
  if (named !== undefined) {
    const seconds = Number(named);
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
    const date = Date.parse(named);
    if (Number.isFinite(date)) return Math.max(0, date - now);
  }
  const [, amount, unit = 's'] = SECONDS_IN_TEXT.exec(said) ?? [];
  if (amount === undefined) return null;
  return Number(amount) * (unit === 'ms' ? 1 : unit === 'm' ? 60_000 : 1000);
}
