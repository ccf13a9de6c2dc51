import type { ToolOutcome } from '../../services.ts';
import { createRouteGuard, type RouteGuard } from './route-guard.ts';

export interface TurnLimits {
  /** Model steps per user message, and as many more that only report progress. */
  steps: number;
  /** Number of identical calls with identical results that count as a loop: the model is told once, the next one ends the turn. */
  repeats: number;
  /** Number of consecutive steps of nothing but invalid calls that end the turn. */
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
  steps: 40,
  repeats: 3,
  junk: 3,
  answer: 400_000,
  calls: 100,
  milliseconds: 1_800_000,
  retries: 3,
  retryPause: 2000,
  longestWait: 90_000,
  stopGrace: 3000,
};

export interface TurnGuards {
  /** Records a call. `warn`: the model should be told that it repeats itself; `repeat`: it was told and goes on. */
  seen(call: { name: string; input: unknown }, outcome: ToolOutcome): 'warn' | 'repeat' | null;
  /** Records the end of a step's calls; returns the guard that ends the turn, if any. */
  stepEnded(): 'junk' | null;
  /** Records a draft, after which repeated calls are legitimate. */
  moved(): void;
  /** Whether the routes of the drafts were played. */
  routes: RouteGuard;
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
  let isWarned = false;
  let step = { calls: 0, junk: 0, keys: new Set<string>() };
  let junkSteps = 0;
  const routes = createRouteGuard();
  return {
    routes,
    seen(call, outcome) {
      routes.called(call, outcome);
      const code = outcome.error?.code;
      step.calls += 1;
      if (code === 'E_BAD_ARGS' || code === 'E_UNSUPPORTED') step.junk += 1;
      // Unreadable arguments are junk; whether they were the same is not known.
      if (call.input === undefined) return null;
      const answer = outcome.ok ? outcome.value : [outcome.error?.code, outcome.error?.message];
      const key = canonical([call.name, call.input, answer]);
      // Within a step a model cannot react to an answer.
      if (step.keys.has(key)) return null;
      step.keys.add(key);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count < limits.repeats) return null;
      if (isWarned) return 'repeat';
      isWarned = true;
      return 'warn';
    },
    stepEnded() {
      junkSteps = step.calls > 0 && step.junk === step.calls ? junkSteps + 1 : 0;
      step = { calls: 0, junk: 0, keys: new Set() };
      return junkSteps >= limits.junk ? 'junk' : null;
    },
    moved() {
      counts.clear();
      isWarned = false;
    },
  };
}
