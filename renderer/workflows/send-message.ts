import type { ChatMode, ConsentAnswer } from '../../shared/model/chat.ts';
import { api } from '../api.ts';
import { pendingQuestion } from '../chat/rows/chat-rows.ts';
import { i18n } from '../i18n/setup.ts';
import { chatStore } from '../state/chat/chat-store.ts';
import { toQueueStep } from '../state/chat/queued-message.ts';
import { currentContext, flushSaves } from '../state/documents/editor-store.ts';
import { historyStore, restoreSnapshots } from '../state/history/history-store.ts';
import { notify, notifyError } from '../state/notify.ts';

/** Runs a user action and reports a failure as a notification. Resolves to whether it succeeded. */
async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    notifyError(error);
    return false;
  }
}

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

export function answerQuestion(question: string, text: string): Promise<boolean> {
  return attempt(async () => {
    await flushSaves();
    await api.call('chat.answer', { question, text });
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

/** Answers a permission request of the assistant. */
export function answerConsent(id: string, answer: ConsentAnswer): Promise<boolean> {
  return attempt(() => api.call('chat.consent', { id, answer }));
}

export function stopAssistant(): Promise<boolean> {
  return attempt(() => api.call('chat.stop', {}));
}

export function createSession(): Promise<boolean> {
  return attempt(() => api.call('chat.create', {}));
}

export function openSession(session: string): Promise<boolean> {
  return attempt(() => api.call('chat.open', { session }));
}

/** Loads the list of conversations, newest first. */
export function readSessions(): Promise<boolean> {
  return attempt(async () => chatStore.setState(await api.call('chat.sessions', {})));
}

/** Opens a web page outside the app. */
export function openWebLink(url: string): Promise<boolean> {
  return attempt(() => api.call('app.openLink', { url }));
}

/** Reverts an accepted proposal by restoring its snapshots. The revert can be undone. */
export async function goBack(group: string): Promise<void> {
  const files = historyStore.getState().groups?.find(({ id }) => id === group)?.files ?? [];
  if (files.length > 0) await restoreSnapshots(files.map(({ snapshotId }) => snapshotId));
  else notify({ level: 'warning', text: i18n.t('chat:review.gone') });
}
