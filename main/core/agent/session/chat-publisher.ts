import type { Emit } from '../../../../shared/contract.ts';
import type { ChatItem } from '../../../../shared/model/chat.ts';
import type { LiveTurn } from '../loop/turn-ports.ts';
import type { Now, PlacedItem, SessionView } from './session-view.ts';

/** Minimum time between two streamed pieces. */
const STREAM_INTERVAL_MS = 40;

export interface ChatPublisher {
  /** Sends pages what changed since the last call. */
  publish(): void;
  /** Sends pages `text`, appended to the streaming row `row`. */
  stream(row: string, text: string): void;
  dispose(): void;
}

/** The state of a row that was sent to pages and is not in the log yet. */
interface SentRow {
  streaming: boolean;
  length: number;
}

/**
 * Sends pages the changes of one session: whole rows when they are new or changed, pieces of text while a row streams. The cost
 * grows with the change, not with the session. Pages are assumed to have the session's state at creation.
 */
export function createChatPublisher(options: {
  session: string;
  view: Pick<SessionView, 'head' | 'queue' | 'takeChanged' | 'open'>;
  now: () => Now;
  emit: Emit;
}): ChatPublisher {
  const { session, view, now, emit } = options;
  let seq = 0;
  let sent = new Map<string, SentRow>();
  const pending = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const toHead = () => JSON.stringify(view.head(now()));
  view.takeChanged();
  let head = toHead();
  let queue = view.queue();
  sent = new Map(view.open(now().live).map(({ item }) => [item.id, toSentRow(item)]));

  function flush(): void {
    timer = undefined;
    for (const [item, text] of pending) {
      const row = sent.get(item);
      if (row) row.length += text.length;
      emit('chat.streamed', { session, item, text });
    }
    pending.clear();
  }

  /** Returns the rows of the streaming step that pages do not have in the current state. */
  function takeOpen(live: LiveTurn | null): PlacedItem[] {
    const rows = view.open(live);
    const news = rows.filter(({ item }) => {
      const { streaming, length } = toSentRow(item);
      const row = sent.get(item.id);
      return row?.streaming !== streaming || row.length + (pending.get(item.id)?.length ?? 0) !== length;
    });
    sent = new Map(rows.map(({ item }) => [item.id, sent.get(item.id) ?? toSentRow(item)]));
    for (const { item } of news) sent.set(item.id, toSentRow(item));
    return news;
  }

  function publish(): void {
    const news = [...view.takeChanged(), ...takeOpen(now().live)];
    const newHead = toHead();
    const newQueue = view.queue();
    const isQueueNew = newQueue !== queue;
    if (news.length === 0 && newHead === head && !isQueueNew) return;
    head = newHead;
    queue = newQueue;
    // These rows are sent whole, so their pending pieces would be duplicates.
    for (const { item } of news) pending.delete(item.id);
    seq += 1;
    const [items, places] = [news.map(({ item }) => item), news.map(({ place }) => place)];
    const sentQueue = isQueueNew && { queue: [...queue] };
    emit('chat.updated', { session, seq, ...view.head(now()), items, places, ...sentQueue });
  }

  return {
    publish,
    stream(row, text) {
      if (!sent.has(row)) {
        publish();
        return;
      }
      pending.set(row, (pending.get(row) ?? '') + text);
      timer ??= setTimeout(flush, STREAM_INTERVAL_MS);
    },
    dispose() {
      clearTimeout(timer);
      pending.clear();
    },
  };
}

function toSentRow(item: ChatItem): SentRow {
  return {
    streaming: 'streaming' in item && item.streaming,
    length: 'text' in item ? item.text.length : 0,
  };
}
