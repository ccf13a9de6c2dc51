import { createPaidRequests, type PaidRequests } from '../../spending/paid-requests.ts';
import type { TurnBase, TurnCancellation } from './turn-ports.ts';

/** Creates the requests of a turn, which asks the user before one passes a cap. A no, or the end of the turn, sends none. */
export function createTurnRequests(ports: TurnBase, cancellation: TurnCancellation): PaidRequests {
  const { turn, log, clock, spending, readCaps, account } = ports;
  return createPaidRequests({
    ...{ account, spending, readCaps },
    async onCap({ scope, cap, spent, next }) {
      const id = clock.id();
      await log.append({ t: 'cap.ask', turn, at: clock.now(), id, scope, cap, spent, next });
      const answered = ports.consents.wait(id, cancellation.signal);
      const release = cancellation.hold();
      ports.changed({ phase: 'consent', step: null });
      // The wait rejects only when the turn was stopped.
      const answer = await answered.catch(() => null).finally(release);
      if (answer === null) return false;
      const goesOn = answer !== 'no';
      await log.append({ t: 'cap.answer', turn, at: clock.now(), id, answer: goesOn ? 'on' : 'stop' });
      ports.changed({ phase: 'model', step: null });
      if (!goesOn) return false;
      if (spent === null) account.isWaived = true;
      else if (scope === 'day') await spending.raise(cap.unit, next);
      else account.raised = next;
      return true;
    },
  });
}
