import { findBoundary } from './events/find-boundary.ts';
import type { LogEvent } from './log-events.ts';

interface SeenSoFar {
  count: number;
  seen: Map<string, string>;
}

/** By the log's own array, which only grows. */
const known = new WeakMap<readonly LogEvent[], SeenSoFar>();

/**
 * Returns the versions of the texts that the model of a conversation was shown or wrote itself, by path. A read of any part
 * counts for the file until it changes, or until a compaction replaces it by a summary. Computed from the new events of each call only.
 */
export function toSeenTexts(events: readonly LogEvent[]): ReadonlyMap<string, string> {
  const state = known.get(events) ?? { count: 0, seen: new Map<string, string>() };
  known.set(events, state);
  for (; state.count < events.length; state.count += 1) {
    const event = events[state.count];
    takeSeen(state.seen, toSeen(event));
    if (event?.t !== 'compaction') continue;
    state.seen.clear();
    for (const kept of events.slice(findBoundary(events, event), state.count)) {
      takeSeen(state.seen, toSeen(kept));
    }
  }
  return state.seen;
}

/** The versions that a call showed or wrote, or that the user showed by a mention. */
function toSeen(event: LogEvent | undefined): Record<string, string | null> {
  return (event?.t === 'tool.result' || event?.t === 'user' ? event.seen : undefined) ?? {};
}

function takeSeen(seen: Map<string, string>, changes: Record<string, string | null>): void {
  for (const [path, version] of Object.entries(changes)) {
    if (version === null) seen.delete(path);
    else seen.set(path, version);
  }
}
