const WINDOW = 60_000;

/** Counts calls per tool over the last minute. */
export interface RateLimiter {
  /** Counts one call; returns 0, or the milliseconds until a call is possible. */
  take(tool: string, perMinute: number): number;
}

/** Creates a sliding window of one minute per tool. `now` is in milliseconds. */
export function createRateLimiter(now: () => number): RateLimiter {
  const calls = new Map<string, number[]>();
  return {
    take(tool, perMinute) {
      const time = now();
      const recent = (calls.get(tool) ?? []).filter((at) => at > time - WINDOW && at <= time);
      calls.set(tool, recent);
      const oldest = recent[0];
      if (recent.length >= perMinute && oldest !== undefined) return oldest + WINDOW - time;
      recent.push(time);
      return 0;
    },
  };
}
