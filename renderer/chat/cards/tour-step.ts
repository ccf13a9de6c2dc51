import type { ChatItem, ChatPhase } from '../../../shared/model/chat.ts';

/** Where she is in the guided tour, in the order of the tour; `wait`: the practice assistant is at work. */
export const TOUR_STEPS = ['ask', 'plan', 'review', 'back', 'done'] as const;
export type TourStep = (typeof TOUR_STEPS)[number] | 'wait';

/** What she can do next in the tour, read off the conversation. `isBack`: what she accepted has been taken back. */
export function toTourStep(items: readonly ChatItem[], phase: ChatPhase, isBack: boolean): TourStep {
  if (phase === 'model' || phase === 'tool' || phase === 'consent') return 'wait';
  if (phase === 'review') return 'review';
  const review = items.findLast((item) => item.kind === 'review');
  if (review?.kind === 'review' && review.state === 'accepted') return isBack ? 'done' : 'back';
  const plan = items.findLast((item) => item.kind === 'plan');
  return plan?.kind === 'plan' && plan.state === 'ready' ? 'plan' : 'ask';
}
