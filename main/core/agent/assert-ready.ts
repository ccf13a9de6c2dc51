import { AppError } from '../../../shared/errors.ts';
import { toBusyError } from '../busy-error.ts';
import type { ProposalService } from '../services.ts';
import type { OpenSession } from './session/open-sessions.ts';
import { toForeignError } from './session/session-log.ts';

/** Throws `E_CONFLICT`, reason `chat.busy`, while a turn runs. */
export function assertIdle({ running }: OpenSession): void {
  if (running) throw toBusyError();
}

/** Throws for a conversation that came with the game. */
export function assertOwn({ log }: OpenSession): void {
  if (log.isForeign) throw toForeignError();
}

/** Throws `E_NOT_FOUND` unless this proposal is in review. */
export function assertInReview(proposals: ProposalService, id: string): void {
  const current = proposals.current();
  if (current?.id === id && current.state === 'review') return;
  throw new AppError('E_NOT_FOUND', 'This proposal no longer waits for a decision.', { reason: 'proposal.gone' });
}

/** Throws while a proposal of the user waits: it belongs to no session, so no session may replace it. */
export function assertNoUserProposal(proposals: ProposalService): void {
  if (proposals.current()?.author !== 'user') return;
  throw new AppError('E_CONFLICT', 'A change of the user waits for a decision.', { reason: 'proposal.byUser' });
}
