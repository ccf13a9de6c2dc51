import type { ChatPhase } from '../../../shared/model/chat.ts';

/** True while the assistant works and messages are queued. */
export function isWorking(phase: ChatPhase): boolean {
  return phase === 'model' || phase === 'summary' || phase === 'tool' || phase === 'consent';
}
