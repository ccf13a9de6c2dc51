import type { LogEvent, LogEventOf } from '../log-events.ts';

/** A message that waits to be sent. */
export type QueueItem = Omit<LogEventOf<'queue.put'>, 't' | 'at'>;

interface QueueSoFar {
  count: number;
  items: readonly QueueItem[];
}

/** By the log's own array, which only grows. */
const known = new WeakMap<readonly LogEvent[], QueueSoFar>();

/**
 * Returns the messages that wait in a conversation, in the order in which they are sent; the same array until they change. Computed from
 * the new events of each call only.
 */
export function toQueue(events: readonly LogEvent[]): readonly QueueItem[] {
  const state = known.get(events) ?? { count: 0, items: [] };
  known.set(events, state);
  for (; state.count < events.length; state.count += 1) {
    const event = events[state.count];
    if (event?.t === 'queue.put') state.items = withItem(state.items, event);
    else if (event?.t === 'queue.drop' || event?.t === 'user') state.items = without(state.items, event.id);
  }
  return state.items;
}

/** Replaces an item in its place, or adds it. One that is delivered in a turn goes before those that wait for the end of it. */
function withItem(items: readonly QueueItem[], { t: _t, at: _at, ...item }: LogEventOf<'queue.put'>): QueueItem[] {
  const place = items.findIndex(({ id }) => id === item.id);
  if (place >= 0 && items[place]?.steer === item.steer) return items.with(place, item);
  const others = without(items, item.id);
  const waiting = others.findIndex(({ steer }) => steer === undefined || steer !== item.steer);
  return others.toSpliced(item.steer === undefined || waiting < 0 ? others.length : waiting, 0, item);
}

function without(items: readonly QueueItem[], id: string): readonly QueueItem[] {
  return items.some((item) => item.id === id) ? items.filter((item) => item.id !== id) : items;
}
