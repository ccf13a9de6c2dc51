import type { ChatPhase } from '../../../shared/model/chat.ts';

/** What the decision about installing needs to know of the open game. */
export interface WorkAtStake {
  /** How many texts are typed and not saved. */
  unsavedTexts: number;
  /** What the assistant is doing; null without a conversation. */
  chat: ChatPhase | null;
  /** True while a proposal waits for review, the user's own changes included. */
  hasProposal: boolean;
}

/**
 * Why the app must not be replaced now; null when nothing is at stake or no game is open. A question of the assistant's that
 * waits for an answer (`answer`) is no obstacle: the turn has ended, and the conversation goes on from its log.
 */
export function findObstacle(work: WorkAtStake | null): 'unsaved' | 'turn' | 'review' | null {
  if (!work) return null;
  if (work.unsavedTexts > 0) return 'unsaved';
  if (work.chat === 'model' || work.chat === 'tool' || work.chat === 'consent') return 'turn';
  if (work.chat === 'review' || work.hasProposal) return 'review';
  return null;
}
