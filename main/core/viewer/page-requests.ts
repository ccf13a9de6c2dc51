import { withAbort } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Clock } from '../ports/host.ts';
import { createTimers } from '../timers.ts';

/**
 * An action waits at most two seconds for the stage to arrive, two for an answer of the engine and five and a half for a picture; a page that
 * answers later is gone or hangs.
 */
const ANSWER_TIMEOUT_MS = 10_000;
/** More pages than any user opens; the ones that were focused longest ago are forgotten. */
const MAX_PAGES = 50;

/** Names a request, and the only page that answers it. */
export interface RequestId {
  request: string;
  page: string;
}

/** Requests to the pages of one open game. Each is answered by exactly one page: the one focused last. */
export interface PageRequests {
  /** Registers a page, or that it received the focus. */
  attach(page: string): void;
  detach(page: string): void;
  /** `send` announces the request. Throws `E_UNSUPPORTED` without a page, `E_TIMEOUT` if it does not answer, and what `check` throws. */
  ask<T>(signal: AbortSignal, { send, check }: { send(id: RequestId): void; check(answer: unknown): T }): Promise<T>;
  /** Takes an answer. One that comes twice or from another page has no effect; a late one has none but that the page is asked again. */
  answer(id: RequestId, answer: unknown): void;
  dispose(): void;
}

interface Waiting {
  page: string;
  resolve(answer: unknown): void;
  reject(error: AppError): void;
}

export function createPageRequests({ clock }: { clock: Clock }): PageRequests {
  /** In the order of their last focus. */
  const pages = new Set<string>();
  /** Those that did not answer in time. */
  const silent = new Set<string>();
  const waiting = new Map<string, Waiting>();
  const timers = createTimers();

  const settle = (request: string): Waiting | undefined => {
    const found = waiting.get(request);
    waiting.delete(request);
    timers.clear(request);
    return found;
  };
  const abandon = (page: string): void => {
    pages.delete(page);
    for (const [request, { page: asked, reject }] of [...waiting]) {
      if (asked !== page) continue;
      settle(request);
      reject(noAnswer());
    }
  };

  return {
    attach(page) {
      silent.delete(page);
      pages.delete(page);
      pages.add(page);
      for (const oldest of pages) {
        if (pages.size <= MAX_PAGES) break;
        abandon(oldest);
      }
    },
    detach(page) {
      silent.delete(page);
      abandon(page);
    },
    async ask(signal, { send, check }) {
      const page = [...pages].at(-1);
      if (page === undefined) {
        throw new AppError('E_UNSUPPORTED', 'The window of the app is not open.', {
          hint: 'Do without it.',
          reason: 'viewer.noPage',
        });
      }
      const request = clock.id();
      const answered = new Promise<unknown>((resolve, reject) => {
        waiting.set(request, { page, resolve, reject });
        // A page that does not answer is not asked again until it reports itself, or answers after all.
        timers.set(request, ANSWER_TIMEOUT_MS, () => {
          silent.add(page);
          abandon(page);
        });
      });
      send({ request, page });
      try {
        return check(await withAbort(answered, signal, () => new AppError('E_TIMEOUT', 'The action was stopped.')));
      } finally {
        settle(request);
      }
    },
    answer({ request, page }, answer) {
      if (silent.delete(page)) {
        // Behind those that answer: its focus may be older.
        const others = [...pages];
        pages.clear();
        for (const each of [page, ...others]) pages.add(each);
      }
      if (waiting.get(request)?.page === page) settle(request)?.resolve(answer);
    },
    dispose() {
      for (const page of [...pages]) abandon(page);
      timers.clearAll();
    },
  };
}

function noAnswer(): AppError {
  return new AppError('E_TIMEOUT', 'The window of the app did not answer.', {
    hint: 'It may be busy or closed. Try once more, or do without it.',
    reason: 'viewer.noAnswer',
  });
}
