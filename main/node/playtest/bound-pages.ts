import { setTimeout as sleep } from 'node:timers/promises';
import { withAbort } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { EnginePage, EnginePages } from '../../core/ports/engine-pages.ts';

/** Longer than each call of the player takes: only a page that hangs gives no answer by then. */
export const CALL_LIMITS: Readonly<Record<Parameters<EnginePage['call']>[0], number>> = {
  ready: 70_000,
  restart: 30_000,
  advance: 150_000,
  choose: 150_000,
};
/** For how long the end of a run waits for its page; the host goes on ending it. */
const CLOSE_LIMIT_MS = 1_500;

interface Limits {
  calls: typeof CALL_LIMITS;
  close: number;
}

/**
 * Bounds what a run waits for, because a script of the game may keep its page busy for ever. The end of the signal rejects each
 * call at once. Calls throw `E_TIMEOUT` where the page gives no answer in time, has ended, or throws.
 */
export function boundPages(
  pages: EnginePages,
  { calls, close }: Limits = { calls: CALL_LIMITS, close: CLOSE_LIMIT_MS },
): EnginePages {
  return {
    async open(url, signal) {
      const opening = pages.open(url, signal);
      const page = await withAbort(opening, signal).catch((error: unknown) => {
        // Its host may be starting a program, and hands over a page that no one waits for.
        opening.then((late) => late.close()).catch(() => undefined);
        throw error;
      });
      return {
        call: (name, input) => withAbort(inTime(page.call(name, input), calls[name]), signal),
        async close() {
          const closing = page.close();
          closing.catch(() => undefined);
          await Promise.race([closing, sleep(close, undefined, { ref: false })]);
        },
      };
    },
  };
}

function inTime(work: Promise<unknown>, limit: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown) =>
      reject(new AppError('E_TIMEOUT', 'The page of the game does not answer.', { cause }));
    const timer = setTimeout(fail, limit);
    work
      .then(resolve, (error: unknown) => (error instanceof AppError ? reject(error) : fail(error)))
      .finally(() => {
        clearTimeout(timer);
      });
  });
}
