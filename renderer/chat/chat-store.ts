import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Payload } from '../../shared/contract.ts';
import type { ChatMode, SessionSummary } from '../../shared/model/chat.ts';
import { api, onConnection } from '../api.ts';
import { applyEarlier, applyStream, applyUpdate, type ChatStep, type ChatView, toChatView } from './chat-reducer.ts';
import { keepDraft, keepMode, readDraft, readMode } from './composer/kept-draft.ts';

/** Streamed text is put on the page at most this often, in milliseconds. */
const FRAME_MS = 16;

export interface ChatStoreState extends ChatView {
  /** False until the first answer of the app is there. */
  loaded: boolean;
  sessions: SessionSummary[];
  mode: ChatMode;
  /** What stands in the composer; kept here so that cards can put words there. */
  draft: string;
  /** Set while what stands in the composer is to be sent as soon as the assistant has finished. */
  queued: { withContext: boolean } | null;
  /** Grows when something asks for the composer's cursor. */
  focusRequests: number;
}

/** The conversation as this page knows it. Changed by the app's events and by `chat-actions.ts` only. */
export const chatStore = createStore<ChatStoreState>(() => ({
  chat: null,
  seq: null,
  loaded: false,
  sessions: [],
  // A plan first: that is what the assistant promises to somebody who meets it.
  mode: readMode() ?? 'plan',
  draft: readDraft(),
  queued: null,
  focusRequests: 0,
}));

export function useChat<T>(select: (state: ChatStoreState) => T): T {
  return useStore(chatStore, select);
}

/** Puts words into the composer (hers stay when `text` is left out) and the cursor after them. */
export function writeInComposer(options: { text?: string; mode?: ChatMode } = {}): void {
  chatStore.setState((state) => ({
    draft: options.text ?? state.draft,
    mode: options.mode ?? state.mode,
    focusRequests: state.focusRequests + 1,
  }));
}

let refreshing: Promise<void> | null = null;

/** Reads the whole conversation anew; calls that come while one is under way share it. */
function refreshChat(): Promise<void> {
  refreshing ??= api
    .call('chat.state', {})
    .then(({ chat }) => {
      pieces.clear();
      chatStore.setState({ ...toChatView(chat), loaded: true });
    })
    // Unreachable for now: the connection listener asks again once the app is back.
    .catch(() => undefined)
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

function take({ view, missed }: ChatStep): void {
  chatStore.setState(view);
  if (missed) void refreshChat();
}

/** Streamed text that is not on the page yet, by row. */
const pieces = new Map<string, Payload<'chat.streamed'>>();
let frame: ReturnType<typeof setTimeout> | undefined;

/** However much comes at once, the page is drawn once for it. A timer, for a page in the background has no frames. */
function gather(piece: Payload<'chat.streamed'>): void {
  const key = `${piece.session} ${piece.item}`;
  const before = pieces.get(key);
  pieces.set(key, before ? { ...piece, text: before.text + piece.text } : piece);
  frame ??= setTimeout(takePieces, FRAME_MS);
}

function takePieces(): void {
  clearTimeout(frame);
  frame = undefined;
  const gathered = [...pieces.values()];
  pieces.clear();
  for (const piece of gathered) take(applyStream(chatStore.getState(), piece));
}

/** Between two portions the page has time for whatever the user does. */
const PORTION_PAUSE_MS = 30;
let isFilling = false;

/** Reads the rows above those that came with the conversation, portion by portion, newest first. */
async function fillUp(): Promise<void> {
  if (isFilling) return;
  isFilling = true;
  for (;;) {
    const { chat } = chatStore.getState();
    if (!chat || chat.earlier === 0) break;
    const asked = { session: chat.session, before: chat.earlier };
    try {
      const answer = await api.call('chat.earlier', asked);
      takePieces();
      chatStore.setState(applyEarlier(chatStore.getState(), { ...asked, ...answer }));
    } catch {
      // Another conversation is open by now, or the app does not answer: the connection listener starts over.
      if (chatStore.getState().chat?.session === asked.session) break;
    }
    await new Promise((done) => setTimeout(done, PORTION_PAUSE_MS));
  }
  isFilling = false;
}

let isConnected = false;

/** Starts mirroring the app's conversation; further calls change nothing. */
export function connectChat(): void {
  if (isConnected) return;
  isConnected = true;
  api.on('chat.changed', ({ chat }) => {
    pieces.clear();
    chatStore.setState({ ...toChatView(chat), loaded: true });
  });
  api.on('chat.updated', (update) => {
    takePieces();
    take(applyUpdate(chatStore.getState(), update));
  });
  api.on('chat.streamed', gather);
  chatStore.subscribe(({ draft, mode, chat }, before) => {
    if (draft !== before.draft) keepDraft(draft);
    if (mode !== before.mode) keepMode(mode);
    if (chat && chat.earlier > 0 && chat.session !== before.chat?.session) void fillUp();
    else if (chat && chat.earlier > (before.chat?.earlier ?? 0)) void fillUp();
  });
  onConnection((isBack) => isBack && void refreshChat());
  void refreshChat();
}
