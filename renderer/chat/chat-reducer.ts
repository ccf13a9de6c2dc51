import type { Output, Payload } from '../../shared/contract.ts';
import type { ChatItem, ChatState } from '../../shared/model/chat.ts';

/** The open conversation as the page holds it. `seq` is the last update seen; null right after a fetch. */
export interface ChatView {
  chat: ChatState | null;
  seq: number | null;
}

/** What an event did to the view; `missed` asks for the whole state again, for an update was lost on the way. */
export interface ChatStep {
  view: ChatView;
  missed: boolean;
}

/** Takes the whole state over, as fetched or as another session opened. */
export function toChatView(chat: ChatState | null): ChatView {
  return { chat, seq: null };
}

/**
 * Puts new and different rows in place, by id, in the order in which they first appeared. An update of another session
 * changes nothing; one that is old is dropped; a gap in `seq` is reported.
 */
export function applyUpdate(view: ChatView, update: Payload<'chat.updated'>): ChatStep {
  const { chat, seq } = view;
  if (!chat || chat.session !== update.session) return { view, missed: chat === null };
  if (seq !== null && update.seq <= seq) return { view, missed: false };
  return {
    view: {
      seq: update.seq,
      chat: {
        ...chat,
        phase: update.phase,
        title: update.title,
        turnUsage: update.turnUsage,
        sessionUsage: update.sessionUsage,
        items: mergeItems(chat, update),
      },
    },
    missed: seq !== null && update.seq !== seq + 1,
  };
}

/** Appends streamed text to its row. A row that was never announced is a lost update. */
export function applyStream(view: ChatView, stream: Payload<'chat.streamed'>): ChatStep {
  const { chat } = view;
  if (!chat || chat.session !== stream.session) return { view, missed: false };
  const index = chat.items.findLastIndex((item) => item.id === stream.item);
  const item = chat.items[index];
  if (!item || (item.kind !== 'assistant' && item.kind !== 'thinking')) return { view, missed: true };
  const items = [...chat.items];
  items[index] = { ...item, text: item.text + stream.text };
  return { view: { ...view, chat: { ...chat, items } }, missed: false };
}

/** Rows above those the page has are left out: they come as they are by then, see `applyEarlier`. */
function mergeItems({ items: old, earlier }: ChatState, update: Payload<'chat.updated'>): ChatItem[] {
  const items = [...old];
  for (const [index, item] of update.items.entries()) {
    const place = (update.places[index] ?? 0) - earlier;
    // A row that streamed stands where it was announced; most news is about the end.
    const known = items[place]?.id === item.id ? place : items.findLastIndex(({ id }) => id === item.id);
    if (known >= 0) items[known] = item;
    else if (place >= 0) items.push(item);
  }
  return items;
}

/** Puts rows before the first one. An answer that does not fit what the page has now is dropped. */
export function applyEarlier(
  view: ChatView,
  { session, before, items, earlier }: Output<'chat.earlier'> & { session: string; before: number },
): ChatView {
  const { chat } = view;
  if (chat?.session !== session || chat.earlier !== before) return view;
  return { ...view, chat: { ...chat, items: [...items, ...chat.items], earlier } };
}
