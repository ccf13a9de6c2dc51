import { isRewind } from './events/counted-events.ts';
import { createLogState, type LogState } from './log-state.ts';
import type { SessionLog } from './session-log.ts';

/**
 * Returns a function that returns the state of a growing log: that of the events that count, with the given title and the usage of all of them,
 * because what was set aside was paid, too. Computed from the new events of each call, except after a rewind.
 */
export function createSessionState(session: Pick<SessionLog, 'events' | 'counted'>): () => LogState {
  const whole = createLogState();
  let counted = createLogState();
  let taken = 0;
  return () => {
    let isRewound = false;
    for (; taken < session.events.length; taken += 1) {
      const event = session.events[taken];
      if (!event) continue;
      whole.take(event);
      counted.take(event);
      isRewound ||= isRewind(event);
    }
    if (isRewound) {
      counted = createLogState();
      for (const event of session.counted) counted.take(event);
    }
    const { title: first, name, sessionUsage } = whole.state();
    const state = counted.state();
    return { ...state, title: state.title ?? first, name, sessionUsage };
  };
}
