import type { ChatPhase, ChatState } from '../../../shared/model/chat.ts';

/** True while the assistant works and a message has to wait. */
export function isWorking(phase: ChatPhase): boolean {
  return phase === 'model' || phase === 'tool' || phase === 'consent';
}

/**
 * What becomes of a message that waits for the assistant: `send` when its turn came to a good end; `keep` in the
 * composer when the turn failed or was stopped, when the assistant asks something (the message would be taken for the
 * answer), and when another conversation is open.
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
