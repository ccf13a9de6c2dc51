import type { ToolOutcome } from '../../services.ts';

export interface TurnLimits {
  /** Model steps per user message. */
  steps: number;
  /** Number of identical calls with identical results that count as a loop. */
  repeats: number;
  /** Number of consecutive invalid calls that end the turn. */
  junk: number;
  /** Maximum characters of a step, thinking included. */
  answer: number;
  /** Maximum calls per step; more are dropped. */
  calls: number;
  /** Time limit of a turn. */
  milliseconds: number;
  /** Number of times that a step is repeated while the service is busy. */
  retries: number;
  /** Milliseconds before a step without output is repeated; doubled each time. */
  retryPause: number;
  /** Longest wait in milliseconds that the service may ask for. */
  longestWait: number;
  /** Milliseconds that a tool may run after a stop. */
  stopGrace: number;
}

export const TURN_LIMITS: TurnLimits = {
  steps: 12,
  repeats: 3,
  junk: 3,
  answer: 400_000,
  calls: 100,
  milliseconds: 600_000,
  retries: 3,
  retryPause: 2000,
  longestWait: 90_000,
  stopGrace: 3000,
};

export interface TurnGuards {
  /** Records a call; returns the guard that ends the turn, if any. */
  seen(call: { name: string; input: unknown }, outcome: ToolOutcome): 'repeat' | 'junk' | null;
  /** Records a draft, after which repeated calls are legitimate. */
  moved(): void;
}

/** Returns JSON with sorted keys, so that the order of arguments does not matter. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  );
}

export function createTurnGuards(limits: Pick<TurnLimits, 'repeats' | 'junk'>): TurnGuards {
  const counts = new Map<string, number>();
  let junk = 0;
  return {
    seen(call, outcome) {
      const code = outcome.error?.code;
      junk = code === 'E_BAD_ARGS' || code === 'E_UNSUPPORTED' ? junk + 1 : 0;
      if (junk >= limits.junk) return 'junk';
      const answer = outcome.ok ? outcome.value : [outcome.error?.code, outcome.error?.message];
      const key = canonical([call.name, call.input, answer]);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count >= limits.repeats ? 'repeat' : null;
    },
    moved() {
      counts.clear();
    },
  };
}
