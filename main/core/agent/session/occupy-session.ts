import type { Emit } from '../../../../shared/contract.ts';
import type { LiveTurn } from '../loop/turn-ports.ts';
import type { OpenSession } from './open-sessions.ts';

/**
 * Shows a session as working while `work` runs, which `stop` ends. `ended` may start other work. Work rejects only when the log cannot be written (disk full or
 * gone); that is reported to the user.
 */
export function occupySession(
  session: OpenSession,
  {
    phase,
    stop,
    work,
    ended,
    emit,
  }: {
    phase: LiveTurn['phase'];
    stop: AbortController;
    work: () => Promise<void>;
    ended: (session: OpenSession) => void;
    emit: Emit;
  },
): void {
  session.live = { phase, step: null };
  const done = work()
    .catch(() => emit('app.noticed', { level: 'error', reason: 'chat.notKept', details: {} }))
    .finally(() => {
      session.running = null;
      session.live = null;
      if (!stop.signal.aborted) ended(session);
      session.publisher.publish();
    });
  session.running = { stop, done };
  session.publisher.publish();
}
