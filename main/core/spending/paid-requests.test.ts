import { describe, expect, it } from 'vitest';
import type { Cap, CapScope } from '../../../shared/model/cost/cap.ts';
import { createTestClock, createTestSpending } from '../../../tests/support/chat-kit.ts';
import type { Model, ModelEvent } from '../ports/models.ts';
import type { PassedCap } from './find-passed-cap.ts';
import { createPaidRequests } from './paid-requests.ts';
import { createTurnAccount } from './turn-account.ts';

const TEXT: ModelEvent = { kind: 'text', text: 'Hello' };
const DONE: ModelEvent = { kind: 'done', messages: [], finish: 'stop', usage: { input: 30, cached: 0, output: 10 } };
const FAILED: ModelEvent = { kind: 'error', problem: 'cutOff', detail: '', retryable: true };

/** A model that answers with `events` and then, with `hangs`, with nothing more, whatever its signal says. */
function createModel(events: readonly ModelEvent[], { hangs = false } = {}): Model {
  return {
    identity: { provider: 'custom', model: 'm' },
    price: { currency: 'CNY', rates: { input: 1, output: 1 }, date: null },
    async *stream() {
      yield* events;
      if (hangs) await new Promise(() => undefined);
    },
  };
}

function createKit(caps: Partial<Record<CapScope, Cap>> = {}, isAllowed = false) {
  const account = createTurnAccount();
  const paid = createTestSpending(createTestClock(), caps);
  const asked: PassedCap[] = [];
  const requests = createPaidRequests({
    ...{ account, ...paid },
    onCap(passed) {
      asked.push(passed);
      return isAllowed;
    },
  });
  const stop = new AbortController();
  const seen: string[] = [];
  const send = (model: Model, onEvent: (event: ModelEvent) => boolean = () => true) =>
    requests.send(
      { model, size: () => 100 },
      () => ({ instructions: '', messages: [], tools: [], signal: stop.signal }),
      (event) => {
        seen.push(event.kind);
        return onEvent(event);
      },
    );
  return { ...paid, account, asked, requests, send, seen, stop };
}

const UNKNOWN = { usage: { input: null, output: null }, cost: undefined };

describe('a request', () => {
  it('is recorded with what the service counted', async () => {
    const { send, spending, account, requests } = createKit();
    expect(await send(createModel([TEXT, DONE]))).toMatchObject({ kind: 'sent', used: { usage: { input: 30 } } });
    expect((await spending.today()).total).toMatchObject({ input: 30, output: 10, isPartial: false });
    expect(requests.used()).toMatchObject({ input: 30, output: 10, isPartial: false });
    expect(account.spent('tokens')).toBe(40);
  });

  it.each([
    ['fails', [TEXT, FAILED]],
    ['ends without an end', [{ kind: 'thinking', text: 'Hm' }]],
    ['breaks off in a call', [{ kind: 'writing' }, FAILED]],
    ['breaks off after a call', [{ kind: 'call', call: { id: '1', name: 'read_file', input: {} } }, FAILED]],
  ] as [string, ModelEvent[]][])('that %s after its answer began has an unknown usage', async (_name, events) => {
    const { send, spending, account, requests } = createKit();
    expect(await send(createModel(events))).toMatchObject({ kind: 'sent', used: UNKNOWN });
    expect((await spending.today()).total).toMatchObject({ isPartial: true, isUnpriced: true });
    expect(requests.used()).toMatchObject({ isPartial: true, isUnpriced: true });
    // For the caps only.
    expect(account.spent('tokens')).toBe(600);
  });

  it('that is stopped is recorded also where the model does not end', async () => {
    const { send, spending, requests, stop } = createKit();
    const sent = send(createModel([TEXT], { hangs: true }), () => {
      queueMicrotask(() => stop.abort());
      return true;
    });
    expect(await sent).toMatchObject({ kind: 'sent', used: UNKNOWN });
    expect(requests.used()).toMatchObject({ input: 0, isPartial: true });
    expect((await spending.today()).total).toMatchObject({ isPartial: true });
  });

  it('counts as unknown while it runs', async () => {
    const { send, requests, stop } = createKit();
    const during: boolean[] = [];
    await send(createModel([TEXT, DONE]), () => {
      during.push(requests.used().isPartial);
      return true;
    });
    expect([...during, requests.used().isPartial]).toEqual([true, true, false]);
    stop.abort();
  });

  it('that is not read to its end, or whose reader throws, has an unknown usage', async () => {
    const { send, account } = createKit();
    expect(await send(createModel([TEXT, TEXT, DONE]), () => false)).toMatchObject({ used: UNKNOWN });
    const thrown = send(createModel([TEXT, DONE]), () => {
      throw new Error('full');
    });
    await expect(thrown).rejects.toThrow('full');
    expect(account.spent('tokens')).toBe(1200);
  });

  it('costs nothing when no answer began, or of a scripted model', async () => {
    const { send, spending } = createKit();
    const nothing = { total: { isPartial: false, isUnpriced: false, input: 0 } };
    expect(await send(createModel([{ kind: 'text', text: ' \n' }, FAILED]))).toMatchObject({ used: null });
    const { identity: _, ...scripted } = createModel([TEXT, FAILED]);
    expect(await send(scripted)).toMatchObject({ used: null });
    expect(await spending.today()).toMatchObject(nothing);
  });
});

describe('a cap', () => {
  it.each(['turn', 'day'] as const)('of a %s holds back a request that would pass it', async (scope) => {
    const { send, asked, seen, requests } = createKit({ [scope]: { unit: 'tokens', amount: 500 } });
    expect(await send(createModel([TEXT, DONE]))).toEqual({ kind: 'capped' });
    expect(seen).toEqual([]);
    expect(asked).toMatchObject([{ scope, spent: 0, next: 1000 }]);
    expect(await requests.wouldPass({ model: createModel([]), size: () => 100 })).toBe(true);
  });

  it('counts what was guessed of a request that broke off', async () => {
    const { send, asked } = createKit({ turn: { unit: 'tokens', amount: 1000 } });
    await send(createModel([TEXT, FAILED]));
    expect(await send(createModel([TEXT, DONE]))).toEqual({ kind: 'capped' });
    expect(asked).toMatchObject([{ spent: 600 }]);
  });

  it('holds up to the amount that the user allowed the turn', async () => {
    const { send, account } = createKit({ turn: { unit: 'tokens', amount: 500 } });
    account.raised = 600;
    expect(await send(createModel([TEXT, DONE]))).toMatchObject({ kind: 'sent' });
    expect(await send(createModel([TEXT, DONE]))).toEqual({ kind: 'capped' });
  });

  it('that cannot be measured holds back every request until the user goes on', async () => {
    const { send, account, asked } = createKit({ turn: { unit: 'USD', amount: 5 } });
    expect(await send(createModel([TEXT, DONE]))).toEqual({ kind: 'capped' });
    expect(asked).toMatchObject([{ spent: null }]);
    account.isWaived = true;
    expect(await send(createModel([TEXT, DONE]))).toMatchObject({ kind: 'sent' });
  });

  it('does not hold back a request that the user allows', async () => {
    const { send } = createKit({ day: { unit: 'tokens', amount: 500 } }, true);
    expect(await send(createModel([TEXT, DONE]))).toMatchObject({ kind: 'sent' });
  });
});
