import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../support/services/fake-model-server.ts';
import { KEY, openGame, START, START_TEXT } from './support/open-game.ts';
import { call, calls, done } from './support/steps.ts';

const PROVIDERS = ['openai', 'anthropic', 'google', 'custom'] as const;
const MARK = /,"cache_control":\{"type":"ephemeral"\}/g;

/** The conversation in the request of any API, without the marks for the cache. */
function toConversation({ body }: FakeRequest): string {
  return JSON.stringify(body.messages ?? body.contents).replaceAll(MARK, '');
}

/** Everything in a request but the conversation. */
function toFrame({ body }: FakeRequest): string {
  const { messages: _, contents: __, ...frame } = body;
  return JSON.stringify(frame);
}

/** Fails unless each request begins with the bytes of the one before it. */
function assertSameBytes(requests: readonly FakeRequest[]): void {
  for (const [index, request] of requests.slice(1).entries()) {
    const before = requests[index] as FakeRequest;
    expect(toFrame(request)).toBe(toFrame(before));
    // Without the bracket that ends the list.
    expect(toConversation(request).startsWith(toConversation(before).slice(0, -1))).toBe(true);
    expect(toConversation(request).length).toBeGreaterThan(toConversation(before).length);
  }
}

/** The blocks of an Anthropic request that carry a mark, as indices of their messages from the end. */
function toMarks({ body }: FakeRequest): number[] {
  const messages = (body.messages ?? []) as { content: { cache_control?: unknown }[] }[];
  return messages.flatMap(({ content }, index) =>
    content.filter((block) => block.cache_control).map(() => index - messages.length),
  );
}

describe.each(PROVIDERS)('the requests to the API of %s', (provider) => {
  it('begin with the bytes of the one before, in a turn and between turns', async () => {
    const script = [
      { reasoning: '想一想', ...calls(call('read_file', { path: START }), call('list_files', { path: 'game' })) },
      calls(call('write_to_file', { path: START, content: `${START_TEXT}:雨;\n` })),
      done('加好了。'),
      calls(call('read_file', { path: START })),
      { text: '看过了。' },
      { text: '不客气。' },
    ];
    const game = await openGame({ provider, script });
    await game.send('加一句雨声');
    await game.ask('proposal.accept', { id: (await game.proposal())?.id ?? '' });
    await game.send('再看一遍');
    await game.send('谢谢');
    expect(game.server.requests).toHaveLength(6);
    assertSameBytes(game.server.requests);
  });

  it('begin with the same bytes after a restart', async () => {
    const script = [calls(call('read_file', { path: START })), done('读过了。'), { text: '好。' }];
    const game = await openGame({ provider, script });
    await game.send('读一下');
    const again = await game.reopen();
    await again.ask('settings.setKey', { provider, key: KEY });
    await again.send('谢谢');
    assertSameBytes(game.server.requests);
  });
});

describe("Anthropic's marks for the cache", () => {
  it('are on the instructions, the newest message and the newest of the request before', async () => {
    const reads = Array.from({ length: 25 }, () => call('read_file', { path: START }));
    const game = await openGame({
      provider: 'anthropic',
      script: [calls(...reads), calls(call('list_files', { path: 'game' })), done()],
    });
    await game.send('读一下');
    const [first, second, third] = game.server.requests as [FakeRequest, FakeRequest, FakeRequest];
    expect([toMarks(first), toMarks(second), toMarks(third)]).toEqual([[-1], [-3, -1], [-3, -1]]);
    for (const { body } of [first, second, third]) {
      expect(body.system).toMatchObject([{ cache_control: { type: 'ephemeral' } }]);
      expect(JSON.stringify(body).match(MARK)?.length).toBeLessThanOrEqual(4);
    }
  });

  it('do not follow the conversation to another service', async () => {
    const script = [calls(call('read_file', { path: START })), done(), { text: '好。' }];
    const game = await openGame({ provider: 'anthropic', script });
    await game.send('读一下');
    const provider = 'deepseek';
    await game.ask('settings.choose', { provider, choice: { baseUrl: game.server.url, model: 'deepseek-v4-pro' } });
    await game.ask('settings.setKey', { provider, key: 'sk-other-key' });
    await game.ask('settings.update', { provider });
    await game.send('再来');
    expect(JSON.stringify(game.server.requests[1]?.body)).toMatch(MARK);
    expect(JSON.stringify(game.server.requests[2]?.body)).not.toMatch(/cache_?control/i);
  });
});
