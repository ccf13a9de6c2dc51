import type { CapUnit } from '../../../shared/model/cost/cap.ts';
import {
  addUsage,
  NOTHING_USED,
  toCost,
  toUsageGuess,
  type Usage,
  type UsageTotal,
} from '../../../shared/model/cost/usage.ts';
import type { Clock } from '../ports/host.ts';
import type { Model } from '../ports/models.ts';
import type { SpendingStore } from '../ports/stores/spending-store.ts';
import type { UsedRequest } from './turn-account.ts';

/** What requests cost. Never rejects: a full disk must not end a turn, and is reported as a fault. */
export interface Spending {
  /**
   * Adds a request to the day. `size`: its tokens as estimated, for a service that does not count. Called by `createPaidRequests` only.
   */
  record(model: Pick<Model, 'identity' | 'price'>, usage: Usage, size: number): Promise<UsedRequest>;
  /**
   * Returns what today's requests used, what they probably used besides that, and the highest amount of each unit that the user
   * allowed. `isReadable`: false when the record of the day cannot be read; the total is then a minimum.
   */
  today(): Promise<{
    total: UsageTotal;
    guessed: UsageTotal;
    raised: ReadonlyMap<CapUnit, number>;
    isReadable: boolean;
  }>;
  /** Stores up to which amount the user lets the assistant go on today. */
  raise(unit: CapUnit, amount: number): Promise<void>;
}

export function createSpending(options: {
  store: SpendingStore;
  clock: Clock;
  onFault: (fault: { where: string; error: unknown }) => void;
}): Spending {
  const { store, clock } = options;
  const where = 'spending of the day';
  const toDay = (): string => toLocalDay(clock.now());
  const report = (error: unknown): void => options.onFault({ where, error });

  return {
    async record({ identity, price }, usage, size) {
      // A scripted model costs nothing.
      if (!identity) return { usage, cost: 'free', guess: null };
      const cost = toCost(usage, price ?? null) ?? undefined;
      const guess = toUsageGuess(usage, size, price ?? null);
      const head = { t: 'request', at: clock.now(), ...identity } as const;
      const entry = { ...head, usage, ...(cost !== undefined && { cost }), ...(guess && { guess }) };
      await store.append(toDay(), entry).catch(report);
      return { usage, cost, guess };
    },
    async today() {
      const raised = new Map<CapUnit, number>();
      let total = NOTHING_USED;
      let isReadable = true;
      let guessed = NOTHING_USED;
      const entries = await store.read(toDay()).catch((error: unknown) => {
        report(error);
        isReadable = false;
        return [];
      });
      for (const entry of entries) {
        if (entry.t === 'raise') {
          raised.set(entry.unit, Math.max(entry.amount, raised.get(entry.unit) ?? 0));
          continue;
        }
        total = addUsage(total, entry.usage, entry.cost);
        if (entry.guess) guessed = addUsage(guessed, entry.guess.usage, entry.guess.cost);
      }
      if (!isReadable) total = { ...total, isPartial: true, isUnpriced: true };
      return { total, guessed, raised, isReadable };
    },
    raise: (unit, amount) => store.append(toDay(), { t: 'raise', at: clock.now(), unit, amount }).catch(report),
  };
}

/** Returns the day of a time on the user's clock, such as `2026-11-23`. */
function toLocalDay(at: number): string {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
