import { z } from 'zod';
import { Currency, type ModelPrice } from './price.ts';

const count = z.int().min(0).nullable();

/**
 * Tokens of one request as counted by the service; null: it did not say. `input` is the total, including the tokens read from
 * and written to its cache.
 */
export const Usage = z.object({ input: count, cached: count, output: count, written: count.optional() });
export type Usage = z.infer<typeof Usage>;

const Money = z.object({ currency: Currency, amount: z.number().min(0) });
type Money = z.infer<typeof Money>;

/** What a request cost. */
export const Cost = z.union([Money, z.literal('free')]);
export type Cost = z.infer<typeof Cost>;

/** What several requests used and cost. */
export const UsageTotal = z.object({
  input: z.int().min(0),
  cached: z.int().min(0),
  output: z.int().min(0),
  /** True when a service did not count some of the tokens: the figures are a minimum. */
  isPartial: z.boolean(),
  /** One amount for each currency. */
  money: z.array(Money),
  /** True when the price of some requests is unknown: the amounts are a minimum. */
  isUnpriced: z.boolean(),
});
export type UsageTotal = z.infer<typeof UsageTotal>;

export const NOTHING_USED: UsageTotal = {
  input: 0,
  cached: 0,
  output: 0,
  isPartial: false,
  money: [],
  isUnpriced: false,
};

/** The usage of a request whose answer did not arrive whole. */
export const UNKNOWN_USAGE: Usage = { input: null, cached: null, output: null };

const MILLION = 1_000_000;

/** Returns what a request cost; null when its price or its tokens are unknown. Pure. */
export function toCost(usage: Usage, price: ModelPrice): Cost | null {
  if (price === 'free') return 'free';
  if (price === null || usage.input === null || usage.output === null) return null;
  const { currency, above } = price;
  const rates = above && usage.input > above.tokens ? above.rates : price.rates;
  const cached = Math.min(usage.input, usage.cached ?? 0);
  const written = Math.min(usage.input - cached, usage.written ?? 0);
  const amount =
    (usage.input - cached - written) * rates.input +
    cached * (rates.cached ?? rates.input) +
    written * (rates.written ?? rates.input) +
    usage.output * rates.output;
  return { currency, amount: amount / MILLION };
}

/** Tokens that an answer is expected to have at least. */
export const SHORT_ANSWER = 500;

/** What a request probably used of what its service did not count, and what all of it probably cost. */
export const UsageGuess = z.object({ usage: Usage, cost: Cost.optional() });
export type UsageGuess = z.infer<typeof UsageGuess>;

/** Guesses what a service did not count of a request of about `size` tokens; null where it counted all. Pure. */
export function toUsageGuess({ input, output }: Usage, size: number, price: ModelPrice): UsageGuess | null {
  if (input !== null && output !== null) return null;
  const whole = { input: input ?? Math.ceil(size), cached: 0, output: output ?? SHORT_ANSWER };
  const cost = toCost(whole, price);
  const usage = { ...whole, input: input === null ? whole.input : 0, output: output === null ? whole.output : 0 };
  return { usage, ...(cost !== null && { cost }) };
}

/** Adds a request to a total. `cost`: undefined when unknown. Pure. */
export function addUsage(total: UsageTotal, usage: Usage, cost: Cost | undefined): UsageTotal {
  const isUncounted = usage.input === null || usage.output === null;
  const isNothing = usage.input === 0 && usage.output === 0;
  return {
    input: total.input + (usage.input ?? 0),
    cached: total.cached + (usage.cached ?? 0),
    output: total.output + (usage.output ?? 0),
    isPartial: total.isPartial || isUncounted,
    money: cost === undefined || cost === 'free' ? total.money : addMoney(total.money, cost),
    isUnpriced: total.isUnpriced || (cost === undefined && !isNothing),
  };
}

/** Adds two totals. Pure. */
export function addTotals(one: UsageTotal, other: UsageTotal): UsageTotal {
  return {
    input: one.input + other.input,
    cached: one.cached + other.cached,
    output: one.output + other.output,
    isPartial: one.isPartial || other.isPartial,
    money: other.money.reduce(addMoney, one.money),
    isUnpriced: one.isUnpriced || other.isUnpriced,
  };
}

function addMoney(money: readonly Money[], { currency, amount }: Money): Money[] {
  const others = money.filter((one) => one.currency !== currency);
  const before = money.find((one) => one.currency === currency)?.amount ?? 0;
  // In a fixed order, so that the page does not swap the amounts.
  return [...others, { currency, amount: before + amount }].sort((one, other) =>
    one.currency < other.currency ? -1 : 1,
  );
}
