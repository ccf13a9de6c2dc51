import type { LogEventOf } from '../session/log-events.ts';
import type { SessionLog } from '../session/session-log.ts';

/**
 * Returns the log of a turn that passes each plan to `keep` before it logs it: a page may read the log at any time, and a plan whose card
 * was shown must outlive the program. `keep` must not reject.
 */
export function keepPlansFirst(log: SessionLog, keep: (plan: LogEventOf<'plan'>) => Promise<void>): SessionLog {
  return {
    ...{ id: log.id, isForeign: log.isForeign, events: log.events },
    get counted() {
      return log.counted;
    },
    async append(...added) {
      for (const event of added) if (event.t === 'plan') await keep(event);
      await log.append(...added);
    },
    appendLater: (...late) => log.appendLater(...late),
  };
}
