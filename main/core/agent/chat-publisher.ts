import type { Emit } from '../../../shared/contract.ts';
import type { ChatItem } from '../../../shared/model/chat.ts';
import type { Now, PlacedItem, SessionView } from './session-view.ts';
import type { LiveTurn } from './turn-ports.ts';

/** Two streamed pieces are never closer than this: faster than the eye, slower than the wire would like. */
const STREAM_EVERY = 40;

export interface ChatPublisher {
  /** Tells pages what differs from what they were told last. */
  publish(): void;
  /** Tells pages that `text` was added to the streaming row `row`. */
  stream(row: string, text: string): void;
  dispose(): void;
}

/** What pages have of a row that is not in the log yet. */
interface ToldRow {
  streaming: boolean;
  length: number;
}

/**
 * Tells pages about one session: whole rows when they are new or different, pieces of text while a row streams. What a
 * piece of news costs grows with the news, not with the session. Pages are taken to know the session as it is at creation.
 */
export function createChatPublisher(options: {
  session: string;
  view: Pick<SessionView, 'head' | 'takeChanged' | 'open'>;
  now: () => Now;
  emit: Emit;
}): ChatPublisher {
  const { session, view, now, emit } = options;
  let seq = 0;
  let told = new Map<string, ToldRow>();
  const pending = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const toHead = () => JSON.stringify(view.head(now()));
  view.takeChanged();
  let head = toHead();
  told = new Map(view.open(now().live).map(({ item }) => [item.id, toTold(item)]));

  function flush(): void {
    timer = undefined;
    for (const [item, text] of pending) {
      const row = told.get(item);
      if (row) row.length += text.length;
      emit('chat.streamed', { session, item, text });
    }
    pending.clear();
  }

  /** The rows of the step that streams which pages do not have, or not so. */
  function takeOpen(live: LiveTurn | null): PlacedItem[] {
    const rows = view.open(live);
    const news = rows.filter(({ item }) => {
      const { streaming, length } = toTold(item);
      const row = told.get(item.id);
      return row?.streaming !== streaming || row.length + (pending.get(item.id)?.length ?? 0) !== length;
    });
    told = new Map(rows.map(({ item }) => [item.id, told.get(item.id) ?? toTold(item)]));
    for (const { item } of news) told.set(item.id, toTold(item));
    return news;
  }

  function publish(): void {
    const news = [...view.takeChanged(), ...takeOpen(now().live)];
    const newHead = toHead();
    if (news.length === 0 && newHead === head) return;
    head = newHead;
    // Rows are sent whole, so pieces still waiting for them would come twice.
    for (const { item } of news) pending.delete(item.id);
    seq += 1;
    const [items, places] = [news.map(({ item }) => item), news.map(({ place }) => place)];
    emit('chat.updated', { session, seq, ...view.head(now()), items, places });
  }

  return {
    publish,
    stream(row, text) {
      if (!told.has(row)) {
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

function toTold(item: ChatItem): ToldRow {
  return {
    streaming: 'streaming' in item && item.streaming,
    length: 'text' in item ? item.text.length : 0,
  };
}
