import { AppError } from '../../../shared/errors.ts';
import { toAnswerText } from '../../../shared/text/answer-text.ts';
import type { Chat, ProposalService } from '../services.ts';
import { assertNoUserProposal, assertOwn } from './assert-ready.ts';
import type { ChatPorts } from './chat-ports.ts';
import { createCompactions } from './compactions.ts';
import { createConversations } from './conversations/conversations.ts';
import { createDecisions } from './decisions.ts';
import { createDiskFacts } from './disk/disk-facts.ts';
import { noticeDisk } from './disk/notice-disk.ts';
import { createPendingConsents } from './loop/pending-consents.ts';
import { createPlanActions } from './plans.ts';
import { createMessageQueue } from './queue/message-queue.ts';
import { createQueuedMessages } from './queue/queued-messages.ts';
import { createRewinds } from './rewinds.ts';
import { createSavedPlans } from './saved-plans/saved-plans.ts';
import { toLogState } from './session/log-state.ts';
import { createOpenSessions, type OpenSession, type OpenSessions } from './session/open-sessions.ts';
import { createSessionList } from './session/session-list.ts';
import { createTurns, type TurnMessage } from './turns.ts';

/**
 * Creates the conversation of one game: opens its newest session, settles what a crash left open and shows a waiting
 * proposal.
 */
export async function createChat(ports: ChatPorts): Promise<Chat> {
  const { proposals, actions } = ports;
  const consents = createPendingConsents();
  const list = createSessionList(ports);
  const sessions = await createOpenSessions(ports, list);
  const { close: closeList, ...conversations } = createConversations({ ports, sessions, list });
  const queue = createMessageQueue(ports.clock);
  const ended = (session: OpenSession): void => queued.goOn(session);
  const saved = createSavedPlans({ ports, sessions });
  const disk = createDiskFacts(ports);
  const turns = createTurns({ ports, sessions, consents, queue, disk, saved, ended });
  const queued = createQueuedMessages({ ports, sessions, turns, queue });
  const rewinds = createRewinds({ ports, sessions, turns, queue, disk });
  const decisions = createDecisions({ ports, sessions, turns });
  const compactions = createCompactions({ ports, sessions, ended });
  const { active } = sessions;

  /** Stops every turn requested so far, and none requested later. */
  async function stop(): Promise<void> {
    actions.cancelStarts();
    active().running?.stop.abort();
    await actions.idle();
    const { running } = active();
    if (running?.stop.signal.aborted) await running.done;
  }

  const create = (practice: boolean): Promise<void> =>
    actions.run(async () => {
      assertNoUserProposal(proposals);
      await sessions.create(practice);
    });

  return {
    state() {
      // Pages receive the whole state now; pending pieces would be duplicates.
      active().publisher.publish();
      return sessions.state();
    },
    earlier(session, before) {
      if (session === active().log.id) return active().view.page(before);
      throw new AppError('E_NOT_FOUND', 'This conversation is not open any more.', { reason: 'chat.gone' });
    },
    ...conversations,
    open: (id) => actions.run(() => openOther(id, { sessions, proposals })),
    create: () => create(false),
    startTour: () => create(true),
    send: (message) => actions.start((asked) => turns.start({ kind: 'message', ...message }, asked)),
    queue: (message) => actions.run(() => queued.put(message)),
    editQueued: (id, text) => actions.run(() => queued.edit(id, text)),
    removeQueued: (id) => actions.run(() => queued.remove(id)),
    sendQueued: (id) => actions.start((asked) => queued.sendNow(id, asked)),
    resend: (message) => actions.start((asked) => rewinds.resend(message, asked)),
    async undoResend(id) {
      // A running turn is not stopped for nothing.
      rewinds.assertUndoable(id);
      await stop();
      await actions.run(() => rewinds.undo(id));
    },
    ...createPlanActions({ ports, sessions, turns, saved }),
    answer: (question, answer) =>
      actions.start(async (asked) => turns.start(toAnswerMessage(active(), question, answer), asked)),
    continue: () => actions.start(async (asked) => turns.start(toContinueMessage(active()), asked)),
    consent: async (id, answer) => consents.answer(id, answer),
    stop,
    noticeDisk: () => actions.run(() => noticeDisk(sessions, disk)),
    noteMedia: (changes) => disk.noteMedia(active().log, changes),
    compact: () => actions.start(compactions.start),
    undoCompaction: (id) => actions.run(() => compactions.undo(id)),
    accept: (request) => actions.run(() => decisions.accept(request)),
    reject: (request) => actions.start((asked) => decisions.reject(request, asked)),
    dispose: () => {
      queued.close();
      return actions.run(() => sessions.close().then(closeList));
    },
  };
}

/** Opens a conversation unless it is the open one. */
async function openOther(
  id: string,
  { sessions, proposals }: { sessions: OpenSessions; proposals: ProposalService },
): Promise<void> {
  if (id === sessions.active().log.id) return;
  assertNoUserProposal(proposals);
  await sessions.open(id);
}

/** Returns the message that lets the assistant go on in the mode and plan of its last turn. */
function toContinueMessage(session: OpenSession): TurnMessage {
  assertOwn(session);
  const { log } = session;
  const { lastTurn } = toLogState(log.counted);
  if (!lastTurn) throw new AppError('E_UNSUPPORTED', 'Nothing was asked yet.', { reason: 'chat.nothingToContinue' });
  return { kind: 'continue', mode: lastTurn.mode, text: '', plan: lastTurn.plan };
}

/** Returns the message that answers the assistant's question. Throws `E_NOT_FOUND` if it was answered already. */
function toAnswerMessage(
  session: OpenSession,
  question: string,
  { text, options, ...attached }: Parameters<Chat['answer']>[1],
): TurnMessage {
  assertOwn(session);
  const waiting = toLogState(session.log.counted).question;
  if (waiting?.id !== question) {
    throw new AppError('E_NOT_FOUND', 'This question was answered already.', { reason: 'chat.questionGone' });
  }
  const head = { kind: 'answer', mode: waiting.mode, question, plan: waiting.plan, ...attached } as const;
  const chosen = waiting.options
    .filter((_, index) => options.includes(index))
    .slice(0, waiting.multiple ? undefined : 1);
  if (chosen.length === 0 && text === '') throw new AppError('E_BAD_ARGS', 'The question has no such option.');
  if (chosen.length === 0) return { ...head, text };
  return { ...head, text: toAnswerText(chosen, text), picked: { options: chosen, words: text } };
}
