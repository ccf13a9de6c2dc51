import { AppError } from '../../../../shared/errors.ts';
import type { PlaytestPorts } from '../../ports/engine-pages.ts';

export function toRunning(): AppError {
  return new AppError('E_CONFLICT', 'A playtest of this game runs already.', {
    hint: 'Wait until it has ended.',
    reason: 'playtest.running',
  });
}

/** Lets one playtest of a game run at a time, of the user or the assistant; others are refused. */
export function toSingleRun(ports: PlaytestPorts): PlaytestPorts {
  let isTaken = false;
  return {
    ...ports,
    pages: {
      async open(url, signal) {
        if (isTaken) throw toRunning();
        isTaken = true;
        try {
          const page = await ports.pages.open(url, signal);
          return {
            call: page.call,
            async close() {
              await page.close().finally(() => {
                isTaken = false;
              });
            },
          };
        } catch (error) {
          isTaken = false;
          throw error;
        }
      },
    },
  };
}
