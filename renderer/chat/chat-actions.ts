import type { ConsentAnswer } from '../../shared/model/chat.ts';
import { api } from '../api.ts';
import { attempt } from '../state/notify.ts';

/** Answers a permission request of the assistant. */
export function answerConsent(id: string, answer: ConsentAnswer): Promise<boolean> {
  return attempt(() => api.call('chat.consent', { id, answer }));
}

export function stopAssistant(): Promise<boolean> {
  return attempt(() => api.call('chat.stop', {}));
}

/** Starts a summary of the conversation for the model. */
export function compactChat(): Promise<boolean> {
  return attempt(() => api.call('chat.compact', {}));
}

export function undoCompaction(id: string): Promise<boolean> {
  return attempt(() => api.call('chat.undoCompaction', { id }));
}

export function createSession(): Promise<boolean> {
  return attempt(() => api.call('chat.create', {}));
}

export function openSession(session: string): Promise<boolean> {
  return attempt(() => api.call('chat.open', { session }));
}

/** Opens a web page outside the app. */
export function openWebLink(url: string): Promise<boolean> {
  return attempt(() => api.call('app.openLink', { url }));
}

export function editQueued(id: string, text: string): Promise<boolean> {
  return attempt(() => api.call('chat.editQueued', { id, text }));
}

export function removeQueued(id: string): Promise<boolean> {
  return attempt(() => api.call('chat.removeQueued', { id }));
}

/** Sends a waiting message into the running turn, or starts a turn with it. */
export function sendQueued(id: string): Promise<boolean> {
  return attempt(() => api.call('chat.sendQueued', { id }));
}

/** Brings back what sending a message anew set aside; stops the assistant first. */
export function undoResend(id: string): Promise<boolean> {
  return attempt(() => api.call('chat.undoResend', { id }));
}
