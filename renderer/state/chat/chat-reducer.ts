import type { Output, Payload } from '../../../shared/contract.ts';
import type { ChatItem, ChatState } from '../../../shared/model/chat.ts';

/** The open conversation in the page. `seq` is the last applied update; null right after a fetch. */
export interface ChatView {
  chat: ChatState | null;
  seq: number | null;
}

/** The result of applying an event. `missed` requests the whole state again because an update was lost. */
export interface ChatStep {
  view: ChatView;
  missed: boolean;
}

/** Creates the view of a state that was fetched or opened. */
export function toChatView(chat: ChatState | null): ChatView {
  return { chat, seq: null };
}

/**
 * Inserts new rows and replaces changed rows by id, in order of first appearance. Updates of another session and old
 * updates are ignored; a gap in `seq` sets `missed`.
 */
export function applyUpdate(view: ChatView, update: Payload<'chat.updated'>): ChatStep {
  const { chat, seq } = view;
  if (!chat || chat.session !== update.session) return { view, missed: chat === null };
  const { waiting: _past, undoable: _gone, ...lasting } = chat;
  if (seq !== null && update.seq <= seq) return { view, missed: false };
  return {
    view: {
      seq: update.seq,
      chat: {
        ...lasting,
        ...(update.waiting && { waiting: update.waiting }),
        ...(update.undoable !== undefined && { undoable: update.undoable }),
        phase: update.phase,
        title: update.title,
        turnUsage: update.turnUsage,
        sessionUsage: update.sessionUsage,
        context: update.context,
        todo: update.todo,
        queue: update.queue ?? chat.queue,
        items: mergeItems(chat, update),
      },
    },
    missed: seq !== null && update.seq !== seq + 1,
  };
}

/** Appends streamed text to its row. An unknown row sets `missed`: its update was lost. */
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

/** Merges an update. Leaves out rows above the loaded ones; `applyEarlier` adds them in their state at that time. */
function mergeItems({ items: old, earlier }: ChatState, update: Payload<'chat.updated'>): ChatItem[] {
  const items = [...old];
  for (const [index, item] of update.items.entries()) {
    const place = (update.places[index] ?? 0) - earlier;
    // A streamed row stays at its first position. Search from the end because most updates concern the last rows.
    const known = items[place]?.id === item.id ? place : items.findLastIndex(({ id }) => id === item.id);
    if (known >= 0) items[known] = item;
    else if (place >= 0) items.push(item);
  }
  return items;
}

/** Prepends earlier rows. Drops an answer that does not match the loaded conversation and position. */
export function applyEarlier(
  view: ChatView,
  { session, before, items, earlier }: Output<'chat.earlier'> & { session: string; before: number },
): ChatView {
  const { chat } = view;
  if (chat?.session !== session || chat.earlier !== before) return view;
  return { ...view, chat: { ...chat, items: [...items, ...chat.items], earlier } };
}
