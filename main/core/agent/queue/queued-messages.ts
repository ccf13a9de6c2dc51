import type { Parsed } from '../../../../shared/contract.ts';
import { AppError, toErrorData } from '../../../../shared/errors.ts';
import type { TurnEnd } from '../../../../shared/model/chat.ts';
import { assertOwn } from '../assert-ready.ts';
import type { ChatPorts } from '../chat-ports.ts';
import { type QueueItem, toQueue } from '../session/events/to-queue.ts';
import type { LogEvent } from '../session/log-events.ts';
import { toLogState } from '../session/log-state.ts';
import type { OpenSession, OpenSessions } from '../session/open-sessions.ts';
import type { Turns } from '../turns.ts';
import type { MessageQueue } from './message-queue.ts';

/** Ends of a turn after which the next message is sent. After any other, the user decides. */
const GOOD_ENDS: ReadonlySet<TurnEnd | null> = new Set([null, 'done', 'review']);

/** The messages that the user sends while the assistant works. */
export interface QueuedMessages {
  put(message: Parsed<'chat.queue'>): Promise<void>;
  edit(id: string, text: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Sends a message into the running turn, or starts a turn with it. Throws `E_CONFLICT` while a question waits. */
  sendNow(id: string, stop: AbortController): Promise<void>;
  /** Starts a turn with the next message if the last turn ended well and no question waits; the session shows as working at once. */
  goOn(session: OpenSession): void;
  /** Starts no turn from now on. */
  close(): void;
}

export function createQueuedMessages(options: {
  ports: Pick<ChatPorts, 'actions' | 'clock' | 'emit'>;
  sessions: Pick<OpenSessions, 'active' | 'claim'>;
  turns: Turns;
  queue: MessageQueue;
}): QueuedMessages {
  const { ports, sessions, turns, queue } = options;
  const { actions, clock, emit } = ports;
  let isClosed = false;
  /** The message that the user sent during a summary, until that has ended. */
  let wanted: string | undefined;

  async function startNext(session: OpenSession, id: string | undefined, stop: AbortController): Promise<void> {
    if (isClosed || stop.signal.aborted || sessions.active() !== session || session.running) return;
    // The message keeps waiting.
    await queue.start(session.log, id, startWith(turns, stop)).catch((error: unknown) => {
      emit('app.noticed', { level: 'warning', reason: 'chat.queueWaits', details: { code: toErrorData(error).code } });
    });
  }

  function goOn(session: OpenSession): void {
    const { lastEnd, question, openTurn } = toLogState(session.log.counted);
    const waiting = toQueue(session.log.events);
    const sent = waiting.find(({ id }) => id === wanted)?.id;
    if (isClosed || waiting.length === 0 || openTurn || question) return;
    if (sent === undefined && !GOOD_ENDS.has(lastEnd)) return;
    session.live = { phase: 'model', step: null };
    void actions
      .start((stop) => startNext(session, sent, stop))
      .finally(() => {
        if (session.running) return;
        session.live = null;
        session.publisher.publish();
      });
  }

  async function change(id: string, toEvent: (item: QueueItem) => LogEvent): Promise<void> {
    const { log, publisher } = await toOwn(sessions);
    await queue.change(log, id, toEvent);
    publisher.publish();
  }

  return {
    goOn,
    async put({ now, ...message }) {
      const session = await toOwn(sessions);
      const turn = session.running ? toLogState(session.log.counted).openTurn?.turn : undefined;
      const steer = now && turn !== undefined && { steer: turn };
      await queue.add(session.log, { id: clock.id(), ...message, ...steer });
      // The turn may have ended between the user's key and this call.
      if (!session.running && session.live === null) goOn(session);
      session.publisher.publish();
    },
    edit: (id, text) => change(id, (item) => ({ t: 'queue.put', at: clock.now(), ...item, text })),
    remove: (id) => change(id, () => ({ t: 'queue.drop', at: clock.now(), id })),
    async sendNow(id, stop) {
      const session = await toOwn(sessions);
      const { log, publisher } = session;
      const { openTurn, question } = toLogState(log.counted);
      if (session.running) {
        // A summary at the user's request is no turn: the message follows it.
        if (!openTurn) {
          wanted = id;
          void session.running.done.finally(() => {
            wanted = undefined;
          });
          return;
        }
        await queue.change(log, id, (item) => ({ t: 'queue.put', at: clock.now(), ...item, steer: openTurn.turn }));
        publisher.publish();
        return;
      }
      if (question) throw toAnswerFirstError();
      await queue.start(log, id, startWith(turns, stop));
    },
    close() {
      isClosed = true;
    },
  };
}

async function toOwn(sessions: Pick<OpenSessions, 'active' | 'claim'>): Promise<OpenSession> {
  const session = sessions.active();
  assertOwn(session);
  await sessions.claim();
  return session;
}

function toAnswerFirstError(): AppError {
  return new AppError('E_CONFLICT', 'The assistant waits for an answer.', { reason: 'chat.answerFirst' });
}

/** Returns what starts a turn with a waiting message. */
export function startWith(turns: Turns, stop: AbortController): (item: QueueItem) => Promise<unknown> {
  return ({ steer: _, ...item }) => turns.start({ kind: 'message', ...item }, stop);
}
