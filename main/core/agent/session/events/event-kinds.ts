import type { LogEvent, LogEventOf } from '../log-events.ts';

/** Messages that hold words that the user wrote or approved; the others come from the app. */
const SPOKEN_KINDS: ReadonlySet<LogEventOf<'user'>['kind']> = new Set(['message', 'run', 'answer', 'feedback', 'step']);

/** Returns true for a message that the user wrote or approved, which a summary must not replace. */
export function isRequest(event: LogEvent): event is LogEventOf<'user'> {
  return event.t === 'user' && SPOKEN_KINDS.has(event.kind);
}

/** Events of the user's queue and of the title, which may be logged at any time, also in the middle of an answer. */
const BESIDE: ReadonlySet<LogEvent['t']> = new Set(['queue.put', 'queue.drop', 'title', 'plan.edit']);

/** Returns true for an event that is no part of the turn it is logged in. */
export function isBeside({ t }: LogEvent): boolean {
  return BESIDE.has(t);
}
