import type { ModelToolCall } from '../../ports/models.ts';

/** Tools that only report progress. */
const FREE: ReadonlySet<string> = new Set(['display', 'update_todo_list']);

/** Counts the steps of a turn. Steps that only report progress are free, but not more than there are steps. */
export interface StepBudget {
  isSpent(): boolean;
  /** Takes the calls of a step. */
  take(calls: readonly Pick<ModelToolCall, 'name'>[]): void;
}

export function createStepBudget(steps: number): StepBudget {
  let taken = 0;
  let free = 0;
  return {
    isSpent: () => taken >= steps || free >= steps,
    take(calls) {
      if (calls.length > 0 && calls.every(({ name }) => FREE.has(name))) free += 1;
      else taken += 1;
    },
  };
}
