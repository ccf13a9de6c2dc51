import type { ChatItem } from '../../../shared/model/chat.ts';

/** Returns the last question if it is unanswered, else null. */
export function pendingQuestion(items: readonly ChatItem[]): Extract<ChatItem, { kind: 'question' }> | null {
  const last = items.findLast((item) => item.kind === 'question');
  return last && last.answer === null ? last : null;
}
