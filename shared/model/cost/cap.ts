import { z } from 'zod';
import { Currency } from './price.ts';
import type { UsageTotal } from './usage.ts';

export const CapUnit = z.enum([...Currency.options, 'tokens']);
export type CapUnit = z.infer<typeof CapUnit>;

/** An amount before which the assistant asks. */
export const Cap = z.object({ unit: CapUnit, amount: z.number().positive().max(1_000_000_000) });
export type Cap = z.infer<typeof Cap>;

/** What a cap holds for. */
export const CapScope = z.enum(['turn', 'day']);
export type CapScope = z.infer<typeof CapScope>;

/** The fields of a question about a cap, in the log and in the chat. */
export const capQuestion = {
  scope: CapScope,
  cap: Cap,
  /** What was spent in the cap's unit; null: the model's price is unknown or in another currency. */
  spent: z.number().min(0).nullable(),
  /** The amount up to which the user lets the assistant go on. */
  next: z.number().min(0),
};

/** Returns the part of a total that a cap in `unit` counts. Pure. */
export function toCapAmount(total: UsageTotal, unit: CapUnit): number {
  if (unit === 'tokens') return total.input + total.output;
  return total.money.find(({ currency }) => currency === unit)?.amount ?? 0;
}
