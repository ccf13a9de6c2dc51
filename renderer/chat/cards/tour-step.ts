import type { ChatItem, ChatPhase } from '../../../shared/model/chat.ts';

/** Steps of the guided tour in order; `wait` means that the practice assistant works. */
export const TOUR_STEPS = ['ask', 'plan', 'review', 'back', 'done'] as const;
export type TourStep = (typeof TOUR_STEPS)[number] | 'wait';

/** Returns the next step of the tour from the conversation. `isBack`: the accepted proposal was reverted. */
export function toTourStep(items: readonly ChatItem[], phase: ChatPhase, isBack: boolean): TourStep {
  if (phase === 'model' || phase === 'tool' || phase === 'consent') return 'wait';
  if (phase === 'review') return 'review';
  const review = items.findLast((item) => item.kind === 'review');
  if (review?.kind === 'review' && review.state === 'accepted') return isBack ? 'done' : 'back';
  const plan = items.findLast((item) => item.kind === 'plan');
  return plan?.kind === 'plan' && plan.state === 'ready' ? 'plan' : 'ask';
}
