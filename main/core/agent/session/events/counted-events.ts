import type { LogEvent, LogEventOf } from '../log-events.ts';

/** Events that change which of the events before them count. */
export type RewindEvent = LogEventOf<'rewind' | 'rewind.undone'>;

export function isRewind(event: LogEvent): event is RewindEvent {
  return event.t === 'rewind' || event.t === 'rewind.undone';
}

/**
 * The events of a log that count: all but those that the user set aside. Between two rewinds the array only grows; each rewind makes a
 * new one, which ends with the event of the rewind.
 */
export interface CountedEvents {
  take(event: LogEvent): void;
  all(): readonly LogEvent[];
}

/** `start`: events without a rewind that come first; they all count. */
export function createCountedEvents(start: readonly LogEvent[] = []): CountedEvents {
  let counted = [...start];
  /** What counted before each rewind. */
  const before = new Map<string, readonly LogEvent[]>();
  return {
    all: () => counted,
    take(event) {
      if (!isRewind(event)) {
        counted.push(event);
        return;
      }
      const kept = event.t === 'rewind' ? toKept(counted, event.before) : before.get(event.id);
      // A damaged log: the event has nothing to refer to.
      if (!kept) return;
      if (event.t === 'rewind') before.set(event.id, counted);
      counted = [...kept, event];
    },
  };
}

function toKept(events: readonly LogEvent[], message: string): readonly LogEvent[] | undefined {
  const boundary = findRewindBoundary(events, message);
  return boundary === undefined ? undefined : events.slice(0, boundary);
}

/**
 * Returns the index of the first event that is set aside when the user sends the message `id` anew: the start of its turn, or the message
 * itself if it was sent into a running turn; undefined if there is no such message. Pure.
 */
export function findRewindBoundary(events: readonly LogEvent[], id: string): number | undefined {
  const place = events.findIndex((event) => event.t === 'user' && event.kind === 'message' && event.id === id);
  const asked = events[place];
  if (asked?.t !== 'user') return undefined;
  if (asked.steer) return place;
  const start = events.findLastIndex(
    (event, index) => index < place && event.t === 'turn.start' && event.turn === asked.turn,
  );
  if (start < 0) return place;
  // Logged with the start of the turn: the proposal that the turn was to continue.
  const last = events[start - 1];
  return last?.t === 'decision' && last.outcome === 'replaced' ? start - 1 : start;
}

/** Returns the files that were accepted in the events from `from` on and not undone, also where those were set aside later. Pure. */
export function toAcceptedPaths(events: readonly LogEvent[], from: number): string[] {
  const paths = new Set<string>();
  const undone = new Set<string>();
  for (const event of events.slice(from)) {
    if (event.t === 'decision' && event.outcome === 'accepted') for (const path of event.paths ?? []) paths.add(path);
    if (isRewind(event)) for (const path of event.accepted) paths.add(path);
    takeUndone(undone, event);
  }
  return [...paths].filter((path) => !undone.has(path)).sort();
}

/** Returns the files whose accepted changes are undone after the events. Pure. */
export function toUndonePaths(events: readonly LogEvent[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const event of events) takeUndone(undone, event);
  return undone;
}

function takeUndone(undone: Set<string>, event: LogEvent): void {
  if (event.t === 'decision' && event.outcome === 'accepted') for (const path of event.paths ?? []) undone.delete(path);
  if (event.t !== 'disk') return;
  for (const { path, isAll } of event.undone) {
    if (isAll) undone.add(path);
    else undone.delete(path);
  }
}
