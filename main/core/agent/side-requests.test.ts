import { describe, expect, it } from 'vitest';
import type { UsageTotal } from '../../../shared/model/cost/usage.ts';
import {
  createChatKit,
  createTestClock,
  createTestSpending,
  NO_SKILL_FILES,
  step,
} from '../../../tests/support/chat-kit.ts';
import type { Model, ModelEvent, ModelRequest } from '../ports/models.ts';
import type { ToolRunner } from '../services.ts';
import { createTurnAccount } from '../spending/turn-account.ts';
import { createStoryHelper } from './helper/story-helper.ts';

const PAID = {
  identity: { provider: 'custom', model: 'story' },
  price: { currency: 'CNY', rates: { input: 1, output: 1 }, date: null },
} as const;

/** A paid model that begins an answer to a request without tools and does not end it; `begun` resolves then. */
function createHangingModel(isHanging: (request: ModelRequest) => boolean) {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const model: Model = {
    ...PAID,
    async *stream(request): AsyncGenerator<ModelEvent> {
      if (!isHanging(request)) return yield* step('Hello.');
      yield { kind: 'text', text: 'Notes' };
      resolve();
      await new Promise(() => undefined);
    },
  };
  return { model, begun };
}

describe('the usage of a request outside the steps of a turn', () => {
  it('is unknown for a summary that is stopped after its answer began', async () => {
    const { model, begun } = createHangingModel(({ tools }) => tools.length === 0);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Hi', mode: 'act' });
    await kit.settled();
    expect(kit.chat.state()?.sessionUsage.isPartial).toBe(false);
    await kit.chat.compact();
    await begun;
    await kit.chat.stop();
    expect(kit.items('summary')).toEqual([]);
    const sessionUsage = kit.chat.state()?.sessionUsage;
    expect(sessionUsage).toMatchObject({ input: 10, isPartial: true, isUnpriced: true });
    expect((await kit.spending.today()).total).toEqual(sessionUsage);
    const again = await createChatKit({ model, sessions: kit.sessions });
    expect(again.chat.state()?.sessionUsage).toEqual(sessionUsage);
  });

  it('is unknown at once for a reading helper that is stopped', async () => {
    const { model, begun } = createHangingModel(() => true);
    const clock = createTestClock();
    const tools = { list: () => [] } as unknown as ToolRunner;
    const models = { fast: async () => model } as never;
    const helper = createStoryHelper({ models, tools: () => tools, clock, ...createTestSpending(clock) });
    const stop = new AbortController();
    let toSpent: (() => UsageTotal) | undefined;
    const asked = helper.ask('?', {
      ...{ signal: stop.signal, trace: 't', account: createTurnAccount(), report: async () => undefined },
      spend: (given) => {
        toSpent = given;
      },
    });
    await begun;
    stop.abort();
    expect(toSpent?.()).toMatchObject({ isPartial: true, isUnpriced: true });
    await expect(asked).rejects.toThrow();
    expect(toSpent?.()).toMatchObject({ isPartial: true, isUnpriced: true });
  });
});

describe('the usage of a turn', () => {
  it('includes a step that was interrupted and repeated', async () => {
    let tried = 0;
    const model: Model = {
      ...PAID,
      async *stream(): AsyncGenerator<ModelEvent> {
        tried += 1;
        if (tried > 1) return yield* step('Hello.');
        yield { kind: 'thinking', text: 'Hm' };
        yield { kind: 'error', problem: 'cutOff', detail: '', retryable: true };
      },
    };
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Hi', mode: 'act' });
    await kit.settled();
    const turnUsage = kit.chat.state()?.turnUsage;
    expect(turnUsage).toMatchObject({ input: 10, isPartial: true, isUnpriced: true });
    expect((await kit.spending.today()).total).toEqual(turnUsage);
  });
});

describe('a turn that cannot be prepared', () => {
  it('ends with the reason, and the next turn runs', async () => {
    let reads = 0;
    let isAllowed = false;
    const model: Model = {
      async *stream() {
        yield* step('Hello.');
      },
    };
    const kit = await createChatKit({
      model,
      skillFiles: {
        ...NO_SKILL_FILES,
        ofGame: async () => (isAllowed ? [] : [{ name: 'rain.md', text: 'Short lines.' }]),
        async allow() {
          isAllowed = true;
        },
      },
      beforeBriefing() {
        reads += 1;
        if (reads === 2) throw new Error('gone');
      },
    });
    await kit.chat.send({ text: 'Hi', mode: 'act' });
    await expect.poll(() => kit.chat.state()?.phase).toBe('consent');
    const [card] = kit.items('consent');
    await kit.chat.consent(card?.id ?? '', 'once');
    await kit.settled();
    expect(kit.items('end')).toMatchObject([{ reason: 'error', error: { reason: 'chat.notPrepared' } }]);
    expect(kit.payloads('app.noticed')).toEqual([]);
    await kit.chat.send({ text: 'Again', mode: 'act' });
    await kit.settled();
    expect(kit.items('end').at(-1)).toMatchObject({ reason: 'done' });
  });
});
