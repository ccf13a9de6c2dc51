import { type Cap, type CapScope, toCapAmount } from '../../../../shared/model/cost/cap.ts';
import type { ModelPrice } from '../../../../shared/model/cost/price.ts';
import {
  addUsage,
  NOTHING_USED,
  SHORT_ANSWER,
  toCost,
  toUsageGuess,
  type Usage,
} from '../../../../shared/model/cost/usage.ts';
import type { LogEventOf } from '../session/log-events.ts';
import { createLogState } from '../session/log-state.ts';
import type { TurnCancellation, TurnPorts } from './turn-ports.ts';

/** Asks the user before a request passes a cap. */
export interface SpendingGate {
  /** `stop`: the user does not want to go on; `cut`: the turn ended while the question waited. */
  pass(cut: TurnCancellation): Promise<'go' | 'stop' | 'cut'>;
}

export function createSpendingGate(ports: TurnPorts): SpendingGate {
  const { turn, log, clock, model, spending } = ports;
  const state = createLogState();
  let taken = 0;
  let last: Usage | undefined;
  /** Estimate of the request before. */
  let size = 0;
  /** What the service probably used in this turn without counting it. */
  let guessed = NOTHING_USED;
  /** The amount up to which the user lets this turn go on. */
  let raised = 0;
  /** True once the user went on although the cap cannot be measured. */
  let isWaived = false;

  function follow(): void {
    for (; taken < log.events.length; taken += 1) {
      const event = log.events[taken];
      if (!event) continue;
      state.take(event);
      if (event.t !== 'assistant') continue;
      last = event.usage;
      const guess = event.turn === turn ? toUsageGuess(event.usage, size, model.price ?? null) : null;
      if (guess) guessed = addUsage(guessed, guess.usage, guess.cost);
    }
  }

  /** Returns the question to ask about a cap; null when the next request stays below it. */
  async function toQuestion(scope: CapScope, cap: Cap): Promise<Pick<LogEventOf<'cap.ask'>, 'spent' | 'next'> | null> {
    const next = estimateNext(cap, { input: Math.ceil(ports.context.size()), last, price: model.price ?? null });
    const today = scope === 'day' ? await spending.today() : null;
    if (next === null || today?.isReadable === false) return isWaived ? null : { spent: null, next: cap.amount };
    const spent =
      toCapAmount(today?.total ?? state.state().turnUsage, cap.unit) + toCapAmount(today?.guessed ?? guessed, cap.unit);
    const allowed = Math.max(cap.amount, today ? (today.raised.get(cap.unit) ?? 0) : raised);
    const missing = spent + next - allowed;
    if (missing <= 0) return null;
    return { spent, next: allowed + cap.amount * Math.ceil(missing / cap.amount) };
  }

  async function ask(scope: CapScope, cap: Cap, cut: TurnCancellation): Promise<'go' | 'stop' | 'cut'> {
    const question = await toQuestion(scope, cap);
    if (!question) return 'go';
    const id = clock.id();
    await log.append({ t: 'cap.ask', turn, at: clock.now(), id, scope, cap, ...question });
    const answered = ports.consents.wait(id, cut.signal);
    const release = cut.hold();
    ports.changed({ phase: 'consent', step: null });
    // The wait rejects only when the turn was stopped.
    const answer = await answered.catch(() => null).finally(release);
    if (answer === null) return 'cut';
    const goesOn = answer !== 'no';
    await log.append({ t: 'cap.answer', turn, at: clock.now(), id, answer: goesOn ? 'on' : 'stop' });
    ports.changed({ phase: 'model', step: null });
    if (!goesOn) return 'stop';
    if (question.spent === null) isWaived = true;
    else if (scope === 'day') await spending.raise(cap.unit, question.next);
    else raised = question.next;
    return 'go';
  }

  return {
    async pass(cut) {
      // A scripted model costs nothing.
      if (!model.identity) return 'go';
      const caps = await ports.readCaps();
      for (const scope of ['turn', 'day'] as const) {
        const cap = caps[scope];
        if (!cap) continue;
        follow();
        const passed = await ask(scope, cap, cut);
        if (passed !== 'go') return passed;
      }
      size = ports.context.size();
      return 'go';
    },
  };
}

/** Estimates the next request in the unit of a cap; null when its price is unknown or in another currency. Pure. */
function estimateNext(
  { unit }: Cap,
  { input, last, price }: { input: number; last: Usage | undefined; price: ModelPrice },
): number | null {
  const output = Math.max(SHORT_ANSWER, last?.output ?? 0);
  if (unit === 'tokens') return input + output;
  // What the service had in its cache for the request before, it has for this one, too.
  const cached = Math.min(input, last?.cached ?? 0);
  const cost = toCost({ input, cached, output }, price);
  if (cost === 'free') return 0;
  return cost?.currency === unit ? cost.amount : null;
}
