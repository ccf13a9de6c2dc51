import { type CapUnit, toCapAmount } from '../../../shared/model/cost/cap.ts';
import { addUsage, type Cost, NOTHING_USED, type Usage, type UsageGuess } from '../../../shared/model/cost/usage.ts';

/** What a request used and cost, as far as known. `guess`: where its service did not count, what it probably was. */
export interface UsedRequest {
  usage: Usage;
  /** Undefined: unknown. */
  cost: Cost | undefined;
  guess: UsageGuess | null;
}

/** Returns the fields of a logged event for what a request used; without a cost that is unknown. */
export function toPaid({ usage, cost }: UsedRequest): { usage: Usage; cost?: Cost } {
  return { usage, ...(cost !== undefined && { cost }) };
}

/** What the requests of one turn used, those of its tools and summaries included, and what the user allowed it. */
export interface TurnAccount {
  add(used: UsedRequest): void;
  /** Returns what was used in the unit of a cap, counted and guessed. */
  spent(unit: CapUnit): number;
  /** The amount up to which the user lets the turn go on. */
  raised: number;
  /** True once the user went on although a cap cannot be measured. */
  isWaived: boolean;
}

export function createTurnAccount(): TurnAccount {
  let total = NOTHING_USED;
  let guessed = NOTHING_USED;
  return {
    add({ usage, cost, guess }) {
      total = addUsage(total, usage, cost);
      if (guess) guessed = addUsage(guessed, guess.usage, guess.cost);
    },
    spent: (unit) => toCapAmount(total, unit) + toCapAmount(guessed, unit),
    raised: 0,
    isWaived: false,
  };
}
