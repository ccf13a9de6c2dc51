import { delay } from '../../../shared/async.ts';
import {
  addUsage,
  NOTHING_USED,
  UNKNOWN_USAGE,
  type Usage,
  type UsageTotal,
} from '../../../shared/model/cost/usage.ts';
import type { Model, ModelEvent, ModelRequest } from '../ports/models.ts';
import { findPassedCap, type NextRequest, type PassedCap, type ReadCaps } from './find-passed-cap.ts';
import type { Spending } from './spending.ts';
import type { TurnAccount, UsedRequest } from './turn-account.ts';

/** Number of stream events after which the event loop is yielded. */
const EVENTS_PER_YIELD = 100;

/** `capped`: not sent. `used`: null when nothing arrived that the service could charge for. */
export type SentRequest = { kind: 'capped' } | { kind: 'sent'; used: UsedRequest | null };

/** Sends requests within the caps and records what they used. Every request but the test of a connection is sent by it. */
export interface PaidRequests {
  /** Returns what these requests used, also those that still run. */
  used(): UsageTotal;
  /** Returns true if a request is expected to pass a cap. Asks nothing. */
  wouldPass(next: NextRequest): Promise<boolean>;
  /**
   * Sends a request and passes on its events until it ends, its signal aborts or `read` returns false. What it used is unknown, never 0,
   * when its answer did not arrive whole. `toRequest` is called once the caps allow it.
   */
  send(
    next: NextRequest & { model: Model },
    toRequest: () => ModelRequest | Promise<ModelRequest>,
    read: (event: ModelEvent) => boolean | Promise<boolean>,
  ): Promise<SentRequest>;
}

export interface PaidRequestsOptions {
  account: TurnAccount;
  spending: Pick<Spending, 'record' | 'today'>;
  readCaps: ReadCaps;
  /** Called before a request that is expected to pass a cap; true: it is sent anyway. */
  onCap(passed: PassedCap): boolean | Promise<boolean>;
}

export function createPaidRequests(options: PaidRequestsOptions): PaidRequests {
  const { account, spending, onCap } = options;
  let total = NOTHING_USED;
  /** Requests whose answers have begun, and whose usage is not known yet. */
  let begun = 0;

  return {
    used: () => (begun > 0 ? addUsage(total, UNKNOWN_USAGE, undefined) : total),
    async wouldPass(next) {
      return (
        (await findPassedCap('turn', next, options)) !== null || (await findPassedCap('day', next, options)) !== null
      );
    },
    async send(next, toRequest, read) {
      for (const scope of ['turn', 'day'] as const) {
        const passed = await findPassedCap(scope, next, options);
        if (passed && !(await onCap(passed))) return { kind: 'capped' };
      }
      const request = await toRequest();
      let hasBegun = false;
      let usage: Usage | undefined;
      let used: UsedRequest | null = null;
      try {
        for await (const event of until(next.model.stream(request), request.signal)) {
          if (!hasBegun && next.model.identity && isPaid(event)) {
            hasBegun = true;
            begun += 1;
          }
          if (event.kind === 'done' || event.kind === 'error') usage = event.usage;
          if (!(await read(event)) || event.kind === 'done' || event.kind === 'error') break;
        }
      } finally {
        // The service charges for what it has read and written, but says how much only at the end. A scripted model costs nothing.
        usage ??= hasBegun ? UNKNOWN_USAGE : undefined;
        if (usage) {
          used = await spending.record(next.model, usage, next.size());
          account.add(used);
          total = addUsage(total, used.usage, used.cost);
          if (hasBegun) begun -= 1;
        }
      }
      return { kind: 'sent', used };
    },
  };
}

/** Returns true for an event that shows that the model has begun to answer. Blank text is no answer. */
function isPaid(event: ModelEvent): boolean {
  if (event.kind === 'text') return event.text.trim() !== '';
  return event.kind === 'thinking' || event.kind === 'writing' || event.kind === 'call';
}

/** Yields from a source until it ends or `signal` aborts, also when the source ignores the signal. */
async function* until<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<null>((resolve) => {
    onAbort = () => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    for (let count = 1; !signal.aborted; count += 1) {
      // A source that is always ready would starve *Stop*.
      if (count % EVENTS_PER_YIELD === 0) await delay(0);
      const next = await Promise.race([iterator.next(), aborted]);
      if (next === null || next.done) return;
      yield next.value;
    }
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
    // Not awaited: a hanging source must not delay a stop. Its failure has no receiver.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
