import type { Input } from '../../shared/contract.ts';
import type { ChatMode } from '../../shared/model/chat.ts';
import type { Severity } from '../../shared/model/diagnostic.ts';
import type { StageNews } from '../../shared/model/message/editor-context.ts';
import type { PlanStepEdit } from '../../shared/model/plan/patch.ts';
import type { StageProblem } from '../../shared/model/stage.ts';
import { api } from '../api.ts';
import {
  type AttachmentState,
  attachmentStore,
  clearAttachments,
  markRefused,
} from '../state/chat/attachment-store.ts';
import { chatStore } from '../state/chat/chat-store.ts';
import { isWorking } from '../state/chat/is-working.ts';
import { pendingQuestion } from '../state/chat/pending-question.ts';
import { currentContext, flushSaves } from '../state/documents/editor-store.ts';
import { visibleLines } from '../state/monaco/shown-code.ts';
import { navigationStore } from '../state/navigation.ts';
import { attempt } from '../state/notify.ts';
import { problemsStore } from '../state/problems/problems-store.ts';
import { newsOfStage } from '../state/stage/stage-news.ts';
import { stageStore } from '../state/stage/stage-store.ts';

/**
 * Sends text to the assistant, as the answer if a question is pending. Saves unsaved documents first because the
 * assistant reads from disk. Resolves to false if the app refuses; the text then stays in the composer.
 */
export function sendMessage(
  text: string,
  options: { mode?: ChatMode; withContext?: boolean; attached?: Attached } = {},
): Promise<boolean> {
  return attempt(async () => {
    const { chat, mode } = chatStore.getState();
    const attached = toInput(options.attached);
    const question = pendingQuestion(chat?.items ?? []);
    await flushSaves();
    if (chat?.phase === 'answer' && question) {
      await api.call('chat.answer', { question: question.id, text, ...attached, ...toSentContext() });
      return;
    }
    const context = options.withContext === false ? {} : toSentContext();
    const message = { text, mode: options.mode ?? mode, ...context, ...attached };
    await reportRefused(options.attached, api.call('chat.send', message));
  });
}

/**
 * Sends the composer text, or queues it while the assistant works; `now`: for the next step of the running turn. Clears the text only
 * after the app accepted it and if it did not change meanwhile.
 */
export async function sendDraft(options: { withContext: boolean; now: boolean }): Promise<void> {
  const { draft, chat } = chatStore.getState();
  const text = draft.trim();
  if (text === '') return;
  const { mentions, pictures } = attachmentStore.getState();
  const attached = { mentions, pictures };
  const isSent = isWorking(chat?.phase ?? 'idle')
    ? await queueMessage(text, { ...options, attached })
    : await sendMessage(text, { ...options, attached });
  if (!isSent) return;
  chatStore.setState((state) => (state.draft === draft ? { draft: '' } : {}));
  clearAttachments(attached);
}

type Attached = Pick<AttachmentState, 'mentions' | 'pictures'>;

function toInput({ mentions, pictures }: Attached = { mentions: [], pictures: [] }) {
  return {
    ...(mentions.length > 0 && { mentions: [...mentions] }),
    ...(pictures.length > 0 && { pictures: pictures.map(({ picture }) => picture.id) }),
  };
}

/** Marks the mention that the app refused, so that its chip says why. */
async function reportRefused(attached: Attached | undefined, sent: Promise<unknown>): Promise<void> {
  await sent.catch((error: unknown) => {
    markRefused(attached?.mentions ?? [], error);
    throw error;
  });
}

function queueMessage(
  text: string,
  { withContext, now, attached }: { withContext: boolean; now: boolean; attached: Attached },
): Promise<boolean> {
  return attempt(async () => {
    await flushSaves();
    const { mode } = chatStore.getState();
    await api.call('chat.queue', { text, mode, now, ...(withContext && toSentContext()), ...toInput(attached) });
  });
}

/** Returns what the user has in view, as it is sent; nothing without an open file. */
export function toSentContext(): { context?: Input<'chat.send'>['context'] } {
  const context = currentContext();
  if (!context) return {};
  const { shown, problems } = stageStore.getState().stage;
  const visible = navigationStore.getState().view === 'write' ? visibleLines() : null;
  const found = problemsStore.getState().book.of(context.path);
  const count = (wanted: Severity) => found.filter(({ severity }) => severity === wanted).length;
  return {
    context: {
      ...context,
      selection: context.selection.slice(0, 20_000),
      ...(visible && { visible: [visible.from, visible.to] }),
      ...(shown && {
        stage: {
          ...{ scene: shown.scene.slice(0, 500), line: shown.line },
          ...(problems.length > 0 && { problems: problems.length }),
          ...toNews(problems),
        },
      }),
      ...(found.length > 0 && { problems: { errors: count('error'), warnings: count('warning') } }),
    },
  };
}

function toNews(problems: readonly StageProblem[]): { news?: StageNews[] } {
  const news = newsOfStage.take(chatStore.getState().chat?.session ?? null, problems);
  return news.length > 0 ? { news } : {};
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
    await api.call('chat.answer', { question, text, options: [...options], ...toSentContext() });
  });
}

/** Stores the user's changes to a plan that waits: every step in its order. */
export function editPlan(plan: string, steps: readonly PlanStepEdit[]): Promise<boolean> {
  return attempt(async () => {
    await api.call('chat.editPlan', { plan, steps: [...steps] });
  });
}

/** Executes a plan. Switches the composer to act mode because the plan is approved. */
export function runPlan(plan: string): Promise<boolean> {
  return attempt(async () => {
    await flushSaves();
    const { turn } = await api.call('chat.runPlan', { plan, ...toSentContext() });
    // Null: it was only checked, and still waits.
    if (turn !== null) chatStore.setState({ mode: 'act' });
  });
}

/** Sends other words instead of an earlier message, in its mode; it and everything after it are set aside. */
export function resendMessage({ id, mode }: { id: string; mode: ChatMode }, text: string): Promise<boolean> {
  return attempt(async () => {
    await flushSaves();
    await api.call('chat.resend', { message: id, text, mode, ...toSentContext() });
  });
}
