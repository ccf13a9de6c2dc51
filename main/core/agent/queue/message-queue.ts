import { createSerialQueue } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import { MAX_QUEUED } from '../../../../shared/model/chat.ts';
import type { Clock } from '../../ports/host.ts';
import type { Attached } from '../mentions/to-attached.ts';
import { type QueueItem, toQueue } from '../session/events/to-queue.ts';
import type { LogEvent } from '../session/log-events.ts';
import { toLogState } from '../session/log-state.ts';
import type { SessionLog } from '../session/session-log.ts';

/**
 * The changes of the messages that wait in a conversation. They run one at a time, because a running turn delivers messages while the
 * user edits them: each is delivered or removed, never both.
 */
export interface MessageQueue {
  /** Adds a message. Throws `E_TOO_LARGE`, reason `chat.queueFull`. */
  add(log: SessionLog, item: QueueItem): Promise<void>;
  /** Logs what `toEvent` makes of the message `id`. Throws `E_NOT_FOUND`, reason `chat.queuedGone`, if it does not wait any more. */
  change(log: SessionLog, id: string, toEvent: (item: QueueItem) => LogEvent): Promise<void>;
  /** Runs `start`, which logs the message `id` as sent (default: the next one); nothing if none waits. */
  start(log: SessionLog, id: string | undefined, start: (item: QueueItem) => Promise<unknown>): Promise<void>;
  /**
   * Logs the messages that the user sends into the running turn as part of it. Returns true if there were any. `read` reads what a
   * message mentions; where that fails, the message waits for the end of the turn, whose start reports why.
   */
  deliver(log: SessionLog, turn: string, read: (item: QueueItem) => Promise<Attached>): Promise<boolean>;
}

export function createMessageQueue(clock: Clock): MessageQueue {
  const { run } = createSerialQueue();

  return {
    add: (log, item) =>
      run(async () => {
        if (toQueue(log.events).length >= MAX_QUEUED) throw toFullError();
        await log.append({ t: 'queue.put', at: clock.now(), ...item });
      }),
    change: (log, id, toEvent) => run(() => log.append(toEvent(find(log, id)))),
    start: (log, id, start) =>
      run(async () => {
        const item = id === undefined ? toQueue(log.events)[0] : find(log, id);
        if (item) await start(item);
      }),
    deliver: (log, turn, read) =>
      run(async () => {
        const items = toQueue(log.events).filter(({ steer }) => steer === turn);
        if (items.length === 0) return false;
        // The tools of a turn follow its mode, so the message does, too.
        const mode = toLogState(log.counted).openTurn?.mode ?? 'act';
        const at = clock.now();
        const events: LogEvent[] = [];
        for (const item of items) {
          const { id, text, context } = item;
          const attached = await read(item).catch(() => null);
          if (attached === null) {
            const { steer: _, ...waiting } = item;
            events.push({ t: 'queue.put', at, ...waiting });
          } else {
            const head = { t: 'user', turn, at, id, kind: 'message', mode, text, steer: true } as const;
            events.push({ ...head, ...(context && { context }), ...attached });
          }
        }
        await log.append(...events);
        return events.some(({ t }) => t === 'user');
      }),
  };
}

function find(log: SessionLog, id: string): QueueItem {
  const item = toQueue(log.events).find((each) => each.id === id);
  if (item) return item;
  throw new AppError('E_NOT_FOUND', 'This message does not wait any more.', { reason: 'chat.queuedGone' });
}

function toFullError(): AppError {
  return new AppError('E_TOO_LARGE', `${MAX_QUEUED} messages wait already.`, {
    hint: 'Remove one, or wait until the assistant has finished.',
    reason: 'chat.queueFull',
    details: { count: MAX_QUEUED },
  });
}
