import type { ChatPhase, ChatState } from '../../../shared/model/chat.ts';

/** True while the assistant works and messages are queued. */
export function isWorking(phase: ChatPhase): boolean {
  return phase === 'model' || phase === 'summary' || phase === 'tool' || phase === 'consent';
}

/**
 * Returns the next step for a queued message: `send` if the turn succeeded; `keep` in the composer if the turn failed or
 * was stopped, if the assistant asks a question (the message would be taken as the answer), or if another conversation
 * was opened.
 */
export function toQueueStep(
  before: Pick<ChatState, 'session'> | null,
  now: Pick<ChatState, 'session' | 'phase' | 'items'> | null,
): 'wait' | 'send' | 'keep' {
  if (!now || now.session !== before?.session) return 'keep';
  if (isWorking(now.phase)) return 'wait';
  const last = now.items.findLast((item) => item.kind === 'end');
  const isGood = last?.kind === 'end' && (last.reason === 'done' || last.reason === 'review');
  return isGood && now.phase !== 'answer' ? 'send' : 'keep';
}
