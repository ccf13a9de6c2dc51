import { type Cap, type CapScope, toCapAmount } from '../../../shared/model/cost/cap.ts';
import { SHORT_ANSWER, toCost, type Usage } from '../../../shared/model/cost/usage.ts';
import type { Model } from '../ports/models.ts';
import type { Spending } from './spending.ts';
import type { TurnAccount } from './turn-account.ts';

/** Reads the amounts before which the assistant asks; null: none. */
export type ReadCaps = () => Promise<Record<CapScope, Cap | null>>;

/** A request that is about to be sent. */
export interface NextRequest {
  model: Pick<Model, 'identity' | 'price'>;
  /** Its tokens as estimated. Called only if there is a cap. */
  size: () => number;
  /** What the request before it in the same conversation used. */
  last?: Usage | undefined;
}

/** A cap that a request is expected to pass. */
export interface PassedCap {
  scope: CapScope;
  cap: Cap;
  /** What was spent in the cap's unit; null: it cannot be measured. */
  spent: number | null;
  /** The amount up to which the request, and some after it, would be allowed. */
  next: number;
}

/** Returns the cap of a scope if the next request is expected to pass it or cannot be measured by it; else null. */
export async function findPassedCap(
  scope: CapScope,
  next: NextRequest,
  by: { account: TurnAccount; spending: Pick<Spending, 'today'>; readCaps: ReadCaps },
): Promise<PassedCap | null> {
  // A scripted model costs nothing.
  if (!next.model.identity) return null;
  const cap = (await by.readCaps())[scope];
  if (!cap) return null;
  const { account } = by;
  const amount = estimate(cap, next);
  const today = scope === 'day' ? await by.spending.today() : null;
  if (amount === null || today?.isReadable === false) {
    return account.isWaived ? null : { scope, cap, spent: null, next: cap.amount };
  }
  const spent = today
    ? toCapAmount(today.total, cap.unit) + toCapAmount(today.guessed, cap.unit)
    : account.spent(cap.unit);
  const allowed = Math.max(cap.amount, today ? (today.raised.get(cap.unit) ?? 0) : account.raised);
  const missing = spent + amount - allowed;
  if (missing <= 0) return null;
  return { scope, cap, spent, next: allowed + cap.amount * Math.ceil(missing / cap.amount) };
}

/** Estimates a request in the unit of a cap; null when its price is unknown or in another currency. */
function estimate({ unit }: Cap, { model, size, last }: NextRequest): number | null {
  const input = Math.ceil(size());
  const output = Math.max(SHORT_ANSWER, last?.output ?? 0);
  if (unit === 'tokens') return input + output;
  // What the service had in its cache for the request before, it has for this one, too.
  const cached = Math.min(input, last?.cached ?? 0);
  const cost = toCost({ input, cached, output }, model.price ?? null);
  if (cost === 'free') return 0;
  return cost?.currency === unit ? cost.amount : null;
}
