import type { QueuedMessage } from '../../../../../shared/model/chat.ts';
import { toQueue } from '../events/to-queue.ts';
import type { SessionLog } from '../session-log.ts';

/** Returns a function that returns the waiting messages as pages show them during `turn`; the same array until one changes. */
export function createQueueView({
  events,
  isForeign,
}: Pick<SessionLog, 'events' | 'isForeign'>): (turn: string | undefined) => readonly QueuedMessage[] {
  let shown: QueuedMessage[] = [];
  return (turn) => {
    const messages = (isForeign ? [] : toQueue(events)).map(({ id, text, mode, mentions, pictures, steer }) => {
      const attached = { ...(mentions && { mentions }), ...(pictures && { pictures }) };
      return { id, text, mode, ...attached, steers: steer !== undefined && steer === turn };
    });
    const isSame = messages.length === shown.length && messages.every((each, at) => isEqual(each, shown[at]));
    if (!isSame) shown = messages;
    return shown;
  };
}

function isEqual(one: QueuedMessage, other: QueuedMessage | undefined): boolean {
  return one.id === other?.id && one.steers === other.steers && one.text === other.text;
}
