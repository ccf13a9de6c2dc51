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

/** The state of a row that pages hold and the log does not have yet. */
interface ToldRow {
  streaming: boolean;
  length: number;
}

/**
 * Sends pages the changes of one session: whole rows when they are new or changed, pieces of text while a row streams. The cost
 * grows with the change, not with the session. Pages are assumed to have the session's state at creation.
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

  /** The rows of the streaming step that pages lack or hold in an older state. */
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
    // These rows are sent whole, so their pending pieces would be duplicates.
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
      timer ??= setTimeout(flush, STREAM_INTERVAL_MS);
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
