import type { SavedPlanFiles } from '../../../main/core/ports/stores/saved-plan-files.ts';
import { AppError } from '../../../shared/errors.ts';

export interface MemorySavedPlans extends SavedPlanFiles {
  stored: Map<string, { content: unknown }>;
  /** Ids of plans with invalid signatures. */
  foreign: Set<string>;
}

/** Creates saved plans in memory; the one that was written last is the newest. */
export function createMemorySavedPlans(): MemorySavedPlans {
  const stored: MemorySavedPlans['stored'] = new Map();
  const discarded: MemorySavedPlans['stored'] = new Map();
  const foreign = new Set<string>();
  const toPlan = (id: string, content: unknown) => ({ id, at: 1, content, isForeign: foreign.has(id) });
  const move = (id: string, from: typeof stored, to: typeof stored): boolean => {
    const plan = from.get(id);
    if (plan) to.set(id, plan);
    return from.delete(id);
  };
  return {
    stored,
    foreign,
    async list() {
      const plans = [...stored].reverse().map(([id, { content }]) => toPlan(id, content));
      return { plans, leftOut: 0 };
    },
    async read(id) {
      const plan = stored.get(id);
      return plan ? toPlan(id, plan.content) : null;
    },
    async write(id, content) {
      stored.delete(id);
      stored.set(id, { content: structuredClone(content) });
    },
    discard: async (id) => void move(id, stored, discarded),
    async restore(id) {
      if (!move(id, discarded, stored)) throw new AppError('E_NOT_FOUND', 'It is gone.', { reason: 'plans.gone' });
    },
  };
}
