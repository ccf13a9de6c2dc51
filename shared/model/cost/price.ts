import { z } from 'zod';

/** The currencies that services charge in. Amounts of two currencies are never added. */
export const Currency = z.enum(['CNY', 'USD', 'EUR', 'JPY']);
export type Currency = z.infer<typeof Currency>;

/** A price for a million tokens. */
const rate = z.number().min(0).max(100_000);

/** The user's own price of a model, for a million tokens. */
export const OwnPrice = z.object({
  currency: Currency,
  input: rate,
  output: rate,
  /** Of input that the service has in its cache. Absent: as other input. */
  cached: rate.optional(),
});
export type OwnPrice = z.infer<typeof OwnPrice>;

/** Prices for a million tokens. */
export const Rates = z.object({
  input: rate,
  output: rate,
  /** Of input that the service has in its cache. Absent: as other input. */
  cached: rate.optional(),
  /** Of input that the service writes to its cache. Absent: as other input. */
  written: rate.optional(),
});
export type Rates = z.infer<typeof Rates>;

/** What a service charges for a model. */
export const Price = z.object({
  currency: Currency,
  rates: Rates,
  /** The rates of a request with more input than `tokens`. */
  above: z.object({ tokens: z.int(), rates: Rates }).optional(),
  /** Year and month of the source; null: the user's own. */
  date: z.string().nullable(),
});
export type Price = z.infer<typeof Price>;

/** `free`: the model runs on this computer. Null: unknown. */
export type ModelPrice = Price | 'free' | null;
