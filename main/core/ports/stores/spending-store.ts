import { z } from 'zod';
import { CapUnit } from '../../../../shared/model/cost/cap.ts';
import { Cost, Usage, UsageGuess } from '../../../../shared/model/cost/usage.ts';
import { ProviderId } from '../../../../shared/model/settings.ts';

/** A line of a day: a request, or the amount up to which the user let the assistant go on that day. */
export const SpendingEntry = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('request'),
    at: z.number(),
    provider: ProviderId,
    model: z.string(),
    usage: Usage,
    /** Absent: unknown. */
    cost: Cost.optional(),
    /** Where the service did not count: what it probably was, for the caps only. */
    guess: UsageGuess.optional(),
  }),
  z.object({ t: z.literal('raise'), at: z.number(), unit: CapUnit, amount: z.number() }),
]);
export type SpendingEntry = z.infer<typeof SpendingEntry>;

/** What this user's requests cost, by day (`2026-11-23`), in every game and every window of the machine. */
export interface SpendingStore {
  append(day: string, entry: SpendingEntry): Promise<void>;
  /** Returns the entries of a day, oldest first. Skips unreadable ones. */
  read(day: string): Promise<SpendingEntry[]>;
}
