import type { Emit } from '../../../shared/contract.ts';
import type { ChatState } from '../../../shared/model/chat.ts';

/** Two streamed pieces are never closer than this: faster than the eye, slower than the wire would like. */
const STREAM_EVERY = 40;

export interface ChatPublisher {
  /** Tells pages what differs from what they were told last. */
  publish(): void;
  /** Tells pages that `text` was added to the streaming row `row`. */
  stream(row: string, text: string): void;
  dispose(): void;
}

/**
 * Tells pages about one session: whole rows when they are new or different, pieces of text while a row streams. Pages
 * are taken to know `state()` as it is at creation.
 */
export function createChatPublisher({ state, emit }: { state: () => ChatState; emit: Emit }): ChatPublisher {
  let seq = 0;
  const known = new Map<string, string>();
  let head = '';
  const pending = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const toHead = ({ phase, title, turnUsage, sessionUsage }: ChatState) =>
    JSON.stringify([phase, title, turnUsage, sessionUsage]);

  const first = state();
  for (const item of first.items) known.set(item.id, JSON.stringify(item));
  head = toHead(first);

  function flush(): void {
    timer = undefined;
    const { session } = first;
    for (const [item, text] of pending) emit('chat.streamed', { session, item, text });
    pending.clear();
  }

  function publish(): void {
    const now = state();
    const items = now.items.filter((item) => known.get(item.id) !== JSON.stringify(item));
    const newHead = toHead(now);
    if (items.length === 0 && newHead === head) return;
    for (const item of items) known.set(item.id, JSON.stringify(item));
    head = newHead;
    // Rows are sent whole, so pieces still waiting for them would come twice.
    for (const item of items) pending.delete(item.id);
    seq += 1;
    const { session, phase, title, turnUsage, sessionUsage } = now;
    emit('chat.updated', { session, seq, phase, title, items, turnUsage, sessionUsage });
  }

  return {
    publish,
    stream(row, text) {
      if (!known.has(row)) {
        publish();
        return;
      }
      pending.set(row, (pending.get(row) ?? '') + text);
      timer ??= setTimeout(flush, STREAM_EVERY);
    },
    dispose() {
      clearTimeout(timer);
      pending.clear();
    },
  };
}
