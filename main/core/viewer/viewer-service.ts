import { withAbort } from '../../../shared/async.ts';
import type { Emit } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ViewerActionId, ViewerRequest, ViewerResult } from '../../../shared/model/viewer.ts';
import type { ToolViewer } from '../capability/define-tool.ts';
import type { Clock } from '../ports/host.ts';
import { createTimers } from '../timers.ts';

/**
 * An action waits at most two seconds for the stage to arrive, two for an answer of the engine and five and a half for a picture; a page that
 * answers later is gone or hangs.
 */
const ANSWER_TIMEOUT_MS = 10_000;
/** More pages than any user opens; the ones that were focused longest ago are forgotten. */
const MAX_PAGES = 50;
/** Longer data is refused: a page sends facts, not files. */
const MAX_DATA_CHARACTERS = 20_000;

/** Asks the pages of one open game to carry out actions of the assistant. Exactly one page acts: the one focused last. */
export interface ViewerService extends ToolViewer {
  /** Registers a page, or that it received the focus. */
  attach(page: string): void;
  detach(page: string): void;
  /**
   * Takes the answer of a page. Answers that come twice or from another page have no effect; one that comes late has none but that
   * the page is asked again.
   */
  answer(answer: { request: string; page: string; result: ViewerResult }): void;
  dispose(): void;
}

interface Waiting {
  page: string;
  resolve(result: ViewerResult): void;
  reject(error: AppError): void;
}

export function createViewerService({ emit, clock }: { emit: Emit; clock: Clock }): ViewerService {
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
    async act(action: ViewerActionId, params: ViewerRequest['params'], signal: AbortSignal) {
      const page = [...pages].at(-1);
      if (page === undefined) {
        throw new AppError('E_UNSUPPORTED', 'The window of the app is not open.', {
          hint: 'Do without it.',
          reason: 'viewer.noPage',
        });
      }
      const request = clock.id();
      const answered = new Promise<ViewerResult>((resolve, reject) => {
        waiting.set(request, { page, resolve, reject });
        // A page that does not answer is not asked again until it reports itself, or answers after all.
        timers.set(request, ANSWER_TIMEOUT_MS, () => {
          silent.add(page);
          abandon(page);
        });
      });
      emit('viewer.requested', { request, page, action, params });
      try {
        return await withAbort(answered, signal, () => new AppError('E_TIMEOUT', 'The action was stopped.'));
      } finally {
        settle(request);
      }
    },
    answer({ request, page, result }) {
      if (silent.delete(page)) {
        // Behind those that answer: its focus may be older.
        const others = [...pages];
        pages.clear();
        for (const each of [page, ...others]) pages.add(each);
      }
      if (waiting.get(request)?.page !== page) return;
      const asked = settle(request);
      if (JSON.stringify(result.data ?? {}).length <= MAX_DATA_CHARACTERS) asked?.resolve(result);
      else asked?.reject(new AppError('E_TOO_LARGE', 'The window reported more than fits an answer.'));
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
