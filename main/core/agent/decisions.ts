import type { Parsed } from '../../../shared/contract.ts';
import type { AcceptResult, Proposal } from '../../../shared/model/proposal.ts';
import { acceptLogged, type LoggedAcceptPorts } from './accept-logged.ts';
import { assertIdle, assertInReview } from './assert-ready.ts';
import { toLoggedPieces } from './logged-pieces.ts';
import type { LoggedPieces } from './session/events/piece-events.ts';
import type { OpenSessions } from './session/open-sessions.ts';
import type { SessionLog } from './session/session-log.ts';
import type { Turns } from './turns.ts';

/** The user's decisions about the proposal in review, logged in the open session. */
export interface Decisions {
  accept(request: Parsed<'proposal.accept'>): Promise<AcceptResult>;
  /** Discards the proposal; with feedback, starts a turn that revises it. */
  reject(request: Parsed<'proposal.reject'>, stop: AbortController): Promise<void>;
}

export interface DecisionsOptions {
  ports: LoggedAcceptPorts;
  sessions: Pick<OpenSessions, 'active' | 'claim'>;
  turns: Turns;
}

export function createDecisions({ ports, sessions, turns }: DecisionsOptions): Decisions {
  const { proposals, clock } = ports;

  return {
    async accept(request) {
      const session = sessions.active();
      assertIdle(session);
      assertInReview(proposals, request.id);
      const proposal = proposals.current();
      if (proposal?.author === 'user') {
        return proposals.accept(request, { group: `edit_${clock.id()}`, title: proposal.summary });
      }
      await sessions.claim();
      const result = await acceptLogged(ports, session.log, request);
      session.publisher.publish();
      return result;
    },
    async reject({ id, feedback, context }, stop) {
      const session = sessions.active();
      assertIdle(session);
      assertInReview(proposals, id);
      const text = feedback.trim();
      if (proposals.current()?.author !== 'user') {
        await sessions.claim();
        const head = { t: 'decision', at: clock.now(), proposal: id, outcome: 'rejected' } as const;
        const rest = toRejectedRest(session.log, proposals.current());
        await session.log.append({ ...head, ...rest, ...(text !== '' && { feedback: text }) });
      }
      await proposals.discard();
      session.publisher.publish();
      if (text !== '') await turns.start({ kind: 'feedback', mode: 'act', text, context }, stop);
    },
  };
}

/** Returns what is logged when the user rejects what an acceptance of the same proposal left. */
function toRejectedRest(
  { counted }: SessionLog,
  proposal: Proposal | null,
): { isRest?: true; pieces?: LoggedPieces[] } {
  const isRest = counted.some(
    (event) => event.t === 'decision' && event.proposal === proposal?.id && event.outcome === 'accepted',
  );
  return isRest ? { isRest, pieces: toLoggedPieces(proposal?.files ?? [], 'none') } : {};
}
