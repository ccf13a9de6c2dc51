import type { ChatMode } from '../../shared/model/chat.ts';
import { api } from '../api.ts';
import { chatStore } from '../state/chat/chat-store.ts';
import { pendingQuestion } from '../state/chat/pending-question.ts';
import { toQueueStep } from '../state/chat/queued-message.ts';
import { currentContext, flushSaves } from '../state/documents/editor-store.ts';
import { attempt } from '../state/notify.ts';

/**
 * Sends text to the assistant, as the answer if a question is pending. Saves unsaved documents first because the
 * assistant reads from disk. Resolves to false if the app refuses; the text then stays in the composer.
 */
export function sendMessage(text: string, options: { mode?: ChatMode; withContext?: boolean } = {}): Promise<boolean> {
  return attempt(async () => {
    const { chat, mode } = chatStore.getState();
    const question = pendingQuestion(chat?.items ?? []);
    await flushSaves();
    if (chat?.phase === 'answer' && question) {
      await api.call('chat.answer', { question: question.id, text });
      return;
    }
    const context = options.withContext === false ? null : currentContext();
    await api.call('chat.send', {
      text,
      mode: options.mode ?? mode,
      ...(context && { context: { ...context, selection: context.selection.slice(0, 20_000) } }),
    });
  });
}

/** Sends the composer text. Clears it only after the app accepted it and if it did not change meanwhile. */
export async function sendDraft(options: { withContext: boolean }): Promise<void> {
  const { draft } = chatStore.getState();
  chatStore.setState({ queued: null });
  if (draft.trim() === '') return;
  if (await sendMessage(draft.trim(), options)) {
    chatStore.setState((state) => (state.draft === draft ? { draft: '' } : {}));
  }
}

/** Sends a queued message when the assistant has finished, or leaves it in the composer. Call once. */
export function connectQueue(): void {
  chatStore.subscribe((state, before) => {
    const { queued } = state;
    if (queued === null || state.chat === before.chat) return;
    const step = toQueueStep(before.chat, state.chat);
    if (step === 'send') void sendDraft(queued);
    else if (step === 'keep') chatStore.setState({ queued: null });
  });
}

/** Lets the assistant go on after a turn that ended early, without repeating the user's words. */
export function continueTurn(): Promise<boolean> {
  return attempt(async () => {
    await flushSaves();
    await api.call('chat.continue', {});
  });
}

/** Answers a question by chosen options (their indices), own words, or both. */
export function answerQuestion(question: string, options: readonly number[], text: string): Promise<boolean> {
  return attempt(async () => {
    await flushSaves();
    await api.call('chat.answer', { question, text, options: [...options] });
  });
}

/** Executes a plan. Switches the composer to act mode because the plan is approved. */
export function runPlan(plan: string): Promise<boolean> {
  return attempt(async () => {
    await flushSaves();
    await api.call('chat.runPlan', { plan });
    chatStore.setState({ mode: 'act' });
  });
}
