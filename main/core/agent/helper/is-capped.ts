import { toCapAmount } from '../../../../shared/model/cost/cap.ts';
import { NOTHING_USED, type UsageTotal } from '../../../../shared/model/cost/usage.ts';
import type { Model } from '../../ports/models.ts';
import type { Spending } from '../../spending/spending.ts';
import type { ChatPorts } from '../chat-ports.ts';

export interface CapSource {
  spending: Pick<Spending, 'today'>;
  readCaps: ChatPorts['readCaps'];
}

/** True when `total`, what a reading used so far, reached a cap. A reading cannot ask the user; the turn asks before its next request. */
export async function isCapped(total: UsageTotal, model: Model, { spending, readCaps }: CapSource): Promise<boolean> {
  if (!model.identity || total === NOTHING_USED) return false;
  const { turn, day } = await readCaps();
  if (turn && toCapAmount(total, turn.unit) >= turn.amount) return true;
  if (!day) return false;
  const today = await spending.today();
  const amount = toCapAmount(today.total, day.unit) + toCapAmount(today.guessed, day.unit);
  return amount >= Math.max(day.amount, today.raised.get(day.unit) ?? 0);
}
