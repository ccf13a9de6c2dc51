import type { Parsed } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import { assertIdle, assertNoUserProposal, assertOwn } from './assert-ready.ts';
import type { ChatPorts } from './chat-ports.ts';
import type { DiskFacts } from './disk/disk-facts.ts';
import { resumeSession } from './loop/resume-session.ts';
import type { MessageQueue } from './queue/message-queue.ts';
import { startWith } from './queue/queued-messages.ts';
import { findRewindBoundary, toAcceptedPaths } from './session/events/counted-events.ts';
import type { QueueItem } from './session/events/to-queue.ts';
import type { LogEvent } from './session/log-events.ts';
import { toLogState } from './session/log-state.ts';
import type { OpenSession, OpenSessions } from './session/open-sessions.ts';
import type { Turns } from './turns.ts';

/** Messages of the user that are sent anew. */
export interface Rewinds {
  /** Sets a message and everything after it aside and starts a turn with the new text. */
  resend(message: Parsed<'chat.resend'>, stop: AbortController): Promise<void>;
  /** Throws `E_NOT_FOUND`, reason `chat.undoGone`, unless `undo` can bring back what the rewind `id` set aside. */
  assertUndoable(id: string): void;
  /** Brings back what the rewind `id` set aside, and sets aside what came after it. */
  undo(id: string): Promise<void>;
}

export function createRewinds(options: {
  ports: ChatPorts;
  sessions: Pick<OpenSessions, 'active' | 'claim'>;
  turns: Turns;
  queue: Pick<MessageQueue, 'start'>;
  disk: DiskFacts;
}): Rewinds {
  const { ports, sessions, turns, queue, disk } = options;
  const { clock, proposals } = ports;

  async function toFree(): Promise<OpenSession> {
    const session = sessions.active();
    assertIdle(session);
    assertOwn(session);
    assertNoUserProposal(proposals);
    await sessions.claim();
    return session;
  }

  function assertUndoable(id: string): void {
    if (toLogState(sessions.active().log.counted).undoable?.id === id) return;
    throw new AppError('E_NOT_FOUND', 'A newer message was sent.', { reason: 'chat.undoGone' });
  }

  /** Shows the drafts that wait now. Those that were set aside leave the overlay; nothing of them is on disk. */
  async function settle({ log, publisher }: OpenSession): Promise<void> {
    if (proposals.current()) await proposals.discard();
    await resumeSession(log, { proposals, clock });
    publisher.publish();
  }

  return {
    assertUndoable,
    async resend({ message, ...asked }, stop) {
      const session = await toFree();
      const { log } = session;
      const boundary = findRewindBoundary(log.counted, message);
      if (boundary === undefined) {
        throw new AppError('E_NOT_FOUND', 'This message is not part of the conversation.', {
          reason: 'chat.messageGone',
        });
      }
      // Without a model nothing is set aside.
      if (!toLogState(log.counted).practice) await ports.models.current();
      // What was undone is not said to have stayed on the disk.
      await disk.log(log);
      const id = clock.id();
      const at = clock.now();
      // The text waits in the queue until its turn starts, so that a crash in between does not lose it.
      await log.append(
        { t: 'queue.put', at, id, ...toAttachments(log.counted, message), ...asked },
        { t: 'rewind', at, id: clock.id(), before: message, accepted: toAcceptedPaths(log.counted, boundary) },
      );
      await settle(session);
      await queue.start(log, id, startWith(turns, stop));
    },
    async undo(id) {
      const session = await toFree();
      const { log } = session;
      assertUndoable(id);
      const from = log.counted.findIndex((event) => event.t === 'rewind' && event.id === id);
      await log.append({ t: 'rewind.undone', at: clock.now(), id, accepted: toAcceptedPaths(log.counted, from + 1) });
      await settle(session);
    },
  };
}

/** Returns what a message mentioned and showed: it belongs to the new text, too. Pure. */
function toAttachments(events: readonly LogEvent[], message: string): Pick<QueueItem, 'mentions' | 'pictures'> {
  const sent = events.find((event) => event.t === 'user' && event.id === message);
  if (sent?.t !== 'user') return {};
  return {
    ...(sent.mentions && { mentions: sent.mentions.map(({ of }) => of) }),
    ...(sent.pictures && { pictures: sent.pictures.map(({ id }) => id) }),
  };
}
