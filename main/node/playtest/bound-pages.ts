import { setTimeout as sleep } from 'node:timers/promises';
import { withAbort } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { EnginePage, EnginePages, ScriptPages } from '../../core/ports/engine-pages.ts';
import { CHAIN_MS, PART_MS } from './page/player-script.ts';

type CallName = Parameters<EnginePage['call']>[0];

/** By how much a page may exceed its time until it counts as hung: it looks at the clock between two steps, and computers are busy. */
const GRACE_MS = 30_000;
/** Longer than each call of the player takes: only a page that hangs gives no answer by then. */
export const CALL_LIMITS: Readonly<Record<CallName, number>> = {
  ready: 70_000,
  // The engine rests, and begins anew.
  restart: 2 * CHAIN_MS + GRACE_MS,
  advance: PART_MS + GRACE_MS,
  choose: PART_MS + GRACE_MS,
};
/** For how long the end of a run waits for its page; the host goes on ending it. */
const CLOSE_LIMIT_MS = 1_500;

/** Characters of an answer as JSON, which is read at once. The player bounds what it reports to about half. */
export const MAX_ANSWER = 1024 * 1024;

interface Limits {
  calls: typeof CALL_LIMITS;
  grace: number;
  close: number;
}

/**
 * Calls the player in the pages of a host, and bounds what a run waits for and takes: a script of the game may keep its page busy for
 * ever, or answer without end. The end of the signal rejects each call at once. Calls throw `E_TIMEOUT` where the page gives no
 * answer in time, one of more than `MAX_ANSWER`, has ended, or throws.
 */
export function boundPages(
  pages: ScriptPages,
  { calls, grace, close }: Limits = { calls: CALL_LIMITS, grace: GRACE_MS, close: CLOSE_LIMIT_MS },
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
        call(name, input, within = Number.POSITIVE_INFINITY) {
          const limit = Math.min(calls[name], Math.max(0, within) + grace);
          return withAbort(inTime(page.evaluate(toCall(name, input)).then(toAnswer), limit), signal);
        },
        async close() {
          const closing = page.close();
          closing.catch(() => undefined);
          await Promise.race([closing, sleep(close, undefined, { ref: false })]);
        },
      };
    },
  };
}

/**
 * Returns a script that resolves to the answer as JSON, or to null. Measured in the page, so that a huge answer never leaves its process. A game
 * may replace `JSON` and throw anything, but neither what `typeof` is nor the length of a text.
 */
function toCall(name: CallName, input: unknown): string {
  return `(async () => {
    try {
      const text = JSON.stringify((await __playtest.${name}(${JSON.stringify(input)})) ?? null);
      return typeof text === 'string' && text.length <= ${MAX_ANSWER} ? text : null;
    } catch {
      return null;
    }
  })()`;
}

function toAnswer(text: unknown): unknown {
  if (typeof text !== 'string') throw new Error('The page gave no answer, or one that is too long.');
  return JSON.parse(text);
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
