import type { RateLimit } from '../../../../shared/model/capability/manifest.ts';

const WINDOWS_MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

type CallLimit = Extract<RateLimit, { requests: number }>;

/** Counts the calls of each caller and tool in the window of the tool's limit. */
export interface RateLimiter {
  /** Counts one call; returns 0, or the milliseconds until a call is possible. */
  take(caller: string, tool: string, limit: CallLimit): number;
}

/** Creates sliding windows per caller and tool. `now` is in milliseconds. */
export function createRateLimiter(now: () => number): RateLimiter {
  const calls = new Map<string, number[]>();
  return {
    take(caller, tool, { requests, period }) {
      const time = now();
      const window = WINDOWS_MS[period];
      // The period is a part of the key: a limit that was changed starts anew.
      const key = `${caller}\n${tool}\n${period}`;
      const recent = (calls.get(key) ?? []).filter((at) => at > time - window && at <= time);
      calls.set(key, recent);
      const oldest = recent[0];
      if (recent.length >= requests && oldest !== undefined) return oldest + window - time;
      recent.push(time);
      return 0;
    },
  };
}
