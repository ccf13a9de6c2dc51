import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ChatMode, SessionSummary } from '../../shared/model/chat.ts';
import { api, onConnection } from '../api.ts';
import { applyStream, applyUpdate, type ChatStep, type ChatView, toChatView } from './chat-reducer.ts';
import { keepDraft, keepMode, readDraft, readMode } from './kept-draft.ts';

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
export function refreshChat(): Promise<void> {
  refreshing ??= api
    .call('chat.state', {})
    .then(({ chat }) => chatStore.setState({ ...toChatView(chat), loaded: true }))
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

let isConnected = false;

/** Starts mirroring the app's conversation; further calls change nothing. */
export function connectChat(): void {
  if (isConnected) return;
  isConnected = true;
  api.on('chat.changed', ({ chat }) => chatStore.setState({ ...toChatView(chat), loaded: true }));
  api.on('chat.updated', (update) => take(applyUpdate(chatStore.getState(), update)));
  api.on('chat.streamed', (stream) => take(applyStream(chatStore.getState(), stream)));
  chatStore.subscribe(({ draft, mode }, before) => {
    if (draft !== before.draft) keepDraft(draft);
    if (mode !== before.mode) keepMode(mode);
  });
  onConnection((isBack) => isBack && void refreshChat());
  void refreshChat();
}
