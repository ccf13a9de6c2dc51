import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../support/services/fake-model-server.ts';
import { openGame, START } from './support/open-game.ts';
import { call, calls, done, toToolAnswers } from './support/steps.ts';

const ACCEPTED = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

interface Block {
  type?: string;
  name?: string;
  functionCall?: { name: string };
}

/** Returns the names of all calls in a request, in the shape of any of the three services. */
function toNames({ body }: FakeRequest): unknown[] {
  const messages = (body.messages ?? body.contents ?? []) as {
    content?: unknown;
    parts?: Block[];
    tool_calls?: { function: { name: string } }[];
  }[];
  return messages.flatMap(({ content, parts, tool_calls = [] }) => [
    ...tool_calls.map((one) => one.function.name),
    ...(Array.isArray(content) ? (content as Block[]) : []).flatMap((part) =>
      part.type === 'tool_use' ? [part.name] : [],
    ),
    ...(parts ?? []).flatMap((part) => (part.functionCall ? [part.functionCall.name] : [])),
  ]);
}

describe.each(['custom', 'anthropic', 'google'] as const)('the name of a call, with %s', (provider) => {
  it.each(['functions.read_file', 'readFile', 'read_file<|channel|>commentary'])('is understood: %s', async (name) => {
    const game = await openGame({ provider, script: [calls(call(name, { path: START })), done()] });
    await game.send('读');
    const last = game.server.requests.at(-1) as FakeRequest;
    expect(toNames(last)).toEqual(['read_file']);
    expect(JSON.stringify(last.body)).toContain('你来了');
  });

  it.each(['读取文件', 'x'.repeat(200), 'multi_tool_use.parallel', 'a b'])(
    'does not make the service refuse what follows: %s',
    async (name) => {
      const game = await openGame({ provider, script: [calls(call(name, {})), done(), done()] });
      await game.send('读');
      await game.send('再');
      for (const request of game.server.requests) {
        for (const sent of toNames(request)) expect(sent).toMatch(ACCEPTED);
      }
      expect(toNames(game.server.requests.at(-1) as FakeRequest).length).toBeGreaterThan(1);
    },
  );
});

it('tells the model which tools there are', async () => {
  const game = await openGame({ script: [calls(call('读取文件', {})), done()] });
  await game.send('读');
  expect(toToolAnswers(game.server.requests.at(-1) as FakeRequest).join()).toContain('The tools are');
});
