import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Payload } from '../../../shared/contract.ts';
import type { ChatMode } from '../../../shared/model/chat.ts';
import { api, onConnection } from '../../api.ts';
import { applyEarlier, applyStream, applyUpdate, type ChatStep, type ChatView, toChatView } from './chat-reducer.ts';
import { keepDraft, keepMode, readDraft, readMode } from './kept-draft.ts';

/** Minimum interval between renders of streamed text. */
const FRAME_MS = 16;

export interface ChatStoreState extends ChatView {
  /** False until the first response of the app. */
  loaded: boolean;
  /** Incremented when a conversation was renamed, deleted or brought back. */
  sessionChanges: number;
  /** The row to show once its conversation is loaded, and the words that were found in it. */
  wantedRow: { session: string; row: string; match: string } | null;
  mode: ChatMode;
  /** Text of the composer; stored here so that cards can set it. */
  draft: string;
  /** Incremented to request the focus for the composer. */
  focusRequests: number;
}

/** The conversation in this page. Changed only by events of the app and by `workflows/send-message.ts`. */
export const chatStore = createStore<ChatStoreState>(() => ({
  chat: null,
  seq: null,
  loaded: false,
  sessionChanges: 0,
  wantedRow: null,
  // New users start in plan mode, as the introduction of the assistant states.
  mode: readMode() ?? 'plan',
  draft: readDraft(),
  focusRequests: 0,
}));

export function useChat<T>(select: (state: ChatStoreState) => T): T {
  return useStore(chatStore, select);
}

/** Sets the composer text (unchanged if `text` is omitted) and focuses the composer with the cursor at the end. */
export function writeInComposer(options: { text?: string; mode?: ChatMode } = {}): void {
  chatStore.setState((state) => ({
    draft: options.text ?? state.draft,
    mode: options.mode ?? state.mode,
    focusRequests: state.focusRequests + 1,
  }));
}

let refreshing: Promise<void> | null = null;

/** Reloads the whole conversation. Concurrent calls share one request. */
function refreshChat(): Promise<void> {
  refreshing ??= api
    .call('chat.state', {})
    .then(({ chat }) => {
      pendingChunks.clear();
      chatStore.setState({ ...toChatView(chat), loaded: true });
    })
    // The app is unreachable: the connection listener retries after it reconnects.
    .catch(() => undefined)
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

function applyStep({ view, missed }: ChatStep): void {
  chatStore.setState(view);
  if (missed) void refreshChat();
}

/** Streamed text that is not rendered yet, by row. */
const pendingChunks = new Map<string, Payload<'chat.streamed'>>();
let frame: ReturnType<typeof setTimeout> | undefined;

/** Batches streamed text into one render. Uses a timer because a background page gets no animation frames. */
function queueChunk(piece: Payload<'chat.streamed'>): void {
  const key = `${piece.session} ${piece.item}`;
  const before = pendingChunks.get(key);
  pendingChunks.set(key, before ? { ...piece, text: before.text + piece.text } : piece);
  frame ??= setTimeout(flushChunks, FRAME_MS);
}

function flushChunks(): void {
  clearTimeout(frame);
  frame = undefined;
  const gathered = [...pendingChunks.values()];
  pendingChunks.clear();
  for (const piece of gathered) applyStep(applyStream(chatStore.getState(), piece));
}

/** Pause between two pages of earlier rows, so that the page stays responsive. */
const PAGE_PAUSE_MS = 30;
let isFilling = false;

/** Loads the rows above the initial ones in pages, newest first. */
async function loadEarlier(): Promise<void> {
  if (isFilling) return;
  isFilling = true;
  for (;;) {
    const { chat } = chatStore.getState();
    if (!chat || chat.earlier === 0) break;
    const asked = { session: chat.session, before: chat.earlier };
    try {
      const answer = await api.call('chat.earlier', asked);
      flushChunks();
      chatStore.setState(applyEarlier(chatStore.getState(), { ...asked, ...answer }));
    } catch {
      // Another conversation was opened, or the app is unreachable: the connection listener reloads the state.
      if (chatStore.getState().chat?.session === asked.session) break;
    }
    await new Promise((done) => setTimeout(done, PAGE_PAUSE_MS));
  }
  isFilling = false;
}

/** Subscribes to the conversation of the app; call once. */
export function connectChat(): void {
  api.on('chat.changed', ({ chat }) => {
    pendingChunks.clear();
    chatStore.setState({ ...toChatView(chat), loaded: true });
  });
  api.on('chat.updated', (update) => {
    flushChunks();
    applyStep(applyUpdate(chatStore.getState(), update));
  });
  api.on('chat.streamed', queueChunk);
  chatStore.subscribe(({ draft, mode, chat }, before) => {
    if (draft !== before.draft) keepDraft(draft);
    if (mode !== before.mode) keepMode(mode);
    if (chat && chat.earlier > 0 && chat.session !== before.chat?.session) void loadEarlier();
    else if (chat && chat.earlier > (before.chat?.earlier ?? 0)) void loadEarlier();
  });
  onConnection((isBack) => isBack && void refreshChat());
  void refreshChat();
}
