import type { ChatPhase } from '../../../shared/model/chat.ts';

/** The state of the open game that can prevent an installation. */
export interface OpenWork {
  /** Number of unsaved texts. */
  unsavedTexts: number;
  /** The phase of the conversation; null without one. */
  chat: ChatPhase | null;
  /** True while a proposal is in review, including changes by the user. */
  hasProposal: boolean;
}

/**
 * Returns why an update must not be installed now; null if it may. A pending question of the assistant (`answer`) is no
 * obstacle: the turn has ended, and the conversation continues from its log.
 */
export function findObstacle(work: OpenWork | null): 'unsaved' | 'turn' | 'review' | null {
  if (!work) return null;
  if (work.unsavedTexts > 0) return 'unsaved';
  if (work.chat === 'model' || work.chat === 'tool' || work.chat === 'consent') return 'turn';
  if (work.chat === 'review' || work.hasProposal) return 'review';
  return null;
}
