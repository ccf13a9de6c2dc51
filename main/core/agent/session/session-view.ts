import type { ChatItem, ChatPhase, ChatState, OfferedVersions, QueuedMessage } from '../../../../shared/model/chat.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { LiveTurn } from '../loop/turn-ports.ts';
import { createChatProjection } from './chat-projection.ts';
import type { LogState } from './log-state.ts';
import type { DisplayOf } from './projection/projection-state.ts';
import { createQueueView } from './projection/queue-view.ts';
import { toSessionTitle } from './session-list.ts';
import type { SessionLog } from './session-log.ts';
import { createSessionState } from './session-state.ts';

/** State that is not in the log. `waits`: a proposal waits for a decision. */
export interface Now {
  live: LiveTurn | null;
  waits: boolean;
  locale: Locale;
}

export type ChatHead = Pick<
  ChatState,
  'phase' | 'title' | 'waiting' | 'undoable' | 'turnUsage' | 'sessionUsage' | 'context' | 'todo'
>;

/** A row and its index among all rows of the session. Indices never change. */
export interface PlacedItem {
  item: ChatItem;
  place: number;
}

/** Maximum number of rows, and of characters, that a page receives at once. */
const PAGE_ITEMS = 300;
const PAGE_CHARACTERS = 200_000;

/**
 * The rows of a session for pages, updated incrementally: a call costs what was added since the last one, not the length of the
 * conversation. Rows are copies.
 */
export interface SessionView {
  head(now: Now): ChatHead;
  /** The waiting messages; the same array until they change. */
  queue(): readonly QueuedMessage[];
  /** The head and the newest rows. */
  state(now: Now): ChatState;
  /** The rows before the index `before`, newest last; `earlier` counts the rows above them. */
  page(before: number): { items: ChatItem[]; earlier: number };
  /** Finds a row by id. */
  find(id: string): ChatItem | undefined;
  /** The rows that are new or changed since the last call. */
  takeChanged(): PlacedItem[];
  /** The rows of the running step. */
  open(live: LiveTurn | null): PlacedItem[];
}

export function createSessionView(
  session: Pick<SessionLog, 'id' | 'events' | 'counted' | 'isForeign'>,
  displayOf: DisplayOf,
): SessionView {
  const { id, events, isForeign } = session;
  const rows = createChatProjection(displayOf);
  const log = createSessionState(session);
  const queued = createQueueView(session);
  let taken = 0;

  const follow = (): void => {
    for (; taken < events.length; taken += 1) {
      const event = events[taken];
      if (event) rows.take(event);
    }
  };
  const show = (item: ChatItem): ChatItem =>
    isForeign || item.aside !== undefined ? toPast(item) : structuredClone(item);

  const head = (now: Now): ChatHead => {
    follow();
    return { ...toHead(log(), now, isForeign), todo: isForeign ? [] : rows.todo() };
  };

  const queue = (): readonly QueuedMessage[] => queued(log().openTurn?.turn);

  const page = (before: number): { items: ChatItem[]; earlier: number } => {
    follow();
    const all = rows.items();
    const end = Math.min(before, all.length);
    let from = end;
    let characters = 0;
    while (from > 0 && end - from < PAGE_ITEMS && characters < PAGE_CHARACTERS) {
      from -= 1;
      characters += toWeight(all[from]);
    }
    return { items: all.slice(from, end).map(show), earlier: from };
  };

  const open = (live: LiveTurn | null): PlacedItem[] => {
    follow();
    return rows.openItems(live?.step ?? undefined).map((item, index) => ({ item, place: rows.items().length + index }));
  };

  return {
    head,
    queue,
    page,
    open,
    state(now) {
      const { items, earlier } = page(Number.POSITIVE_INFINITY);
      const spoken = isForeign ? [] : open(now.live).map(({ item }) => item);
      const { practice } = log();
      return {
        session: id,
        ...head(now),
        items: [...items, ...spoken],
        earlier,
        practice,
        isForeign,
        queue: [...queue()],
      };
    },
    find(row) {
      follow();
      const place = rows.placeOf(row);
      return place === undefined ? undefined : rows.items()[place];
    },
    takeChanged() {
      follow();
      return rows.takeChanged().map(({ item, place }) => ({ item: show(item), place }));
    },
  };
}

function toHead(state: LogState, { live, waits, locale }: Now, isForeign: boolean): Omit<ChatHead, 'todo'> {
  const resting: ChatPhase = isForeign ? 'idle' : state.question ? 'answer' : state.review && waits ? 'review' : 'idle';
  return {
    phase: (isForeign ? undefined : live?.phase) ?? resting,
    title: toSessionTitle(state, locale),
    ...(live?.waiting && !isForeign && { waiting: live.waiting }),
    ...(state.undoable && !isForeign && { undoable: state.undoable.id }),
    turnUsage: state.turnUsage,
    sessionUsage: state.sessionUsage,
    context: state.context,
  };
}

/** Characters of a step of a plan: its words, questions and findings. */
const STEP_WEIGHT = 600;

/** Estimates the size of a row in characters. */
function toWeight(item: ChatItem | undefined): number {
  if (!item) return 0;
  if (item.kind === 'plan') return 300 + item.text.length + item.steps.length * STEP_WEIGHT;
  const files = item.kind === 'review' ? item.files.length * 80 : 0;
  const versions = item.kind === 'question' ? toLength(item.versions) : 0;
  return 300 + files + versions + ('text' in item ? item.text.length : 0);
}

function toLength(versions: OfferedVersions | undefined): number {
  return versions ? versions.texts.reduce((sum, text) => sum + text.length, versions.before.length) : 0;
}

/** Returns a row without actions, because nothing in a foreign log can be decided. */
function toPast(item: ChatItem): ChatItem {
  switch (item.kind) {
    case 'plan':
      return { ...item, state: 'dropped' };
    case 'review': {
      const { group: _group, ...shown } = item;
      return { ...shown, state: item.state === 'pending' ? 'replaced' : item.state };
    }
    case 'consent':
      return { ...item, state: item.state === 'pending' ? 'ended' : item.state };
    case 'cap':
      return { ...item, state: item.state === 'pending' ? 'ended' : item.state };
    case 'question': {
      const { versions: _versions, ...shown } = item;
      return { ...shown, options: [], answer: item.answer ?? '' };
    }
    case 'tool':
      return { ...item, state: item.state === 'running' ? 'failed' : item.state };
    default:
      return item;
  }
}
