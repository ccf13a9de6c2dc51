import type { Input } from '../../shared/contract.ts';
import type { ChatMode } from '../../shared/model/chat.ts';
import type { Severity } from '../../shared/model/diagnostic.ts';
import type { StageNews } from '../../shared/model/message/editor-context.ts';
import type { PlanStepEdit } from '../../shared/model/plan/patch.ts';
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
      const answer = { question: question.id, text, ...attached };
      await sendWithContext((context) => api.call('chat.answer', { ...answer, ...context }));
      return;
    }
    const message = { text, mode: options.mode ?? mode, ...attached };
    const send = (context: SentContext) => api.call('chat.send', { ...message, ...context });
    await reportRefused(options.attached, options.withContext === false ? send({}) : sendWithContext(send));
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
    const message = { text, mode, now, ...toInput(attached) };
    const send = (context: SentContext) => api.call('chat.queue', { ...message, ...context });
    // The message may be withdrawn, so what it says is told again with the next one.
    await (withContext ? sendWithContext(send, () => false) : send({}));
  });
}

/** What the user has in view, as it is sent; nothing where there is nothing to say. */
type SentContext = { context?: Input<'chat.send'>['context'] };

/**
 * Sends something together with what the user has in view. The news of the stage in it count as told once the app took it, unless
 * `isTold` says otherwise of its answer. Rejects as `send` does.
 */
export async function sendWithContext<T>(
  send: (context: SentContext) => Promise<T>,
  isTold: (answer: T) => boolean = () => true,
): Promise<T> {
  const news = newsOfStage.find(chatStore.getState().chat?.session ?? null, stageStore.getState().stage.problems);
  const context = toSentContext(news.news);
  const answer = await send(context);
  if (context.context?.stage?.news && isTold(answer)) news.setTold();
  return answer;
}

function toSentContext(news: StageNews[]): SentContext {
  const place = currentContext();
  const { shown, problems } = stageStore.getState().stage;
  const open = countProblems(place?.path);
  if (!place && !shown && !open) return {};
  const visible = place && navigationStore.getState().view === 'write' ? visibleLines() : null;
  return {
    context: {
      ...(place && { ...place, selection: place.selection.slice(0, 20_000) }),
      ...(visible && { visible: [visible.from, visible.to] }),
      ...(shown && {
        stage: {
          ...{ scene: shown.scene.slice(0, 500), line: shown.line },
          ...(problems.length > 0 && { problems: problems.length }),
          ...(news.length > 0 && { news }),
        },
      }),
      ...(open && { problems: open }),
    },
  };
}

/** Counts the open problems of a file, without one those of the game; null for none. */
function countProblems(path: string | undefined): { errors: number; warnings: number } | null {
  const { book } = problemsStore.getState();
  if (path === undefined) {
    const { error, warning, info } = book.counts;
    return error + warning + info > 0 ? { errors: error, warnings: warning } : null;
  }
  const found = book.of(path);
  const count = (wanted: Severity) => found.filter(({ severity }) => severity === wanted).length;
  return found.length > 0 ? { errors: count('error'), warnings: count('warning') } : null;
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
    const answer = { question, text, options: [...options] };
    await sendWithContext((context) => api.call('chat.answer', { ...answer, ...context }));
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
    // Null: it was only checked, and still waits.
    const { turn } = await sendWithContext(
      (context) => api.call('chat.runPlan', { plan, ...context }),
      (answer) => answer.turn !== null,
    );
    if (turn !== null) chatStore.setState({ mode: 'act' });
  });
}

/** Sends other words instead of an earlier message, in its mode; it and everything after it are set aside. */
export function resendMessage({ id, mode }: { id: string; mode: ChatMode }, text: string): Promise<boolean> {
  return attempt(async () => {
    await flushSaves();
    await sendWithContext((context) => api.call('chat.resend', { message: id, text, mode, ...context }));
  });
}
