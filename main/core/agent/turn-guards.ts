import type { ToolOutcome } from '../areas.ts';

export interface TurnLimits {
  /** Steps of the model per message of the writer. */
  steps: number;
  /** The same call with the same result this often is a loop. */
  repeats: number;
  /** So many calls in a row that no tool can make sense of are junk. */
  junk: number;
  /** Characters a step may say, thinking included. */
  answer: number;
  /** Calls of one step that are carried out. */
  calls: number;
  /** Wall clock of a whole turn. */
  milliseconds: number;
  /** Between two attempts at a step that said nothing. */
  retryPause: number;
  /** How long a tool may take to notice a stop. */
  stopGrace: number;
}

export const TURN_LIMITS: TurnLimits = {
  steps: 12,
  repeats: 3,
  junk: 3,
  answer: 400_000,
  calls: 100,
  milliseconds: 600_000,
  retryPause: 1000,
  stopGrace: 3000,
};

export interface TurnGuards {
  /** Hears every call; names the guard that stops the turn. */
  seen(call: { name: string; input: unknown }, outcome: ToolOutcome): 'repeat' | 'junk' | null;
  /** A draft was made: asking again what was asked before makes sense now. */
  moved(): void;
}

/** JSON with sorted keys, so that the same arguments in another order are the same arguments. */
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
