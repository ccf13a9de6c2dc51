import { describe, expect, it } from 'vitest';
import type { FakeStep } from '../../support/services/fake-model-server.ts';
import { openGame, START } from '../support/open-game.ts';
import { call, calls, done } from '../support/steps.ts';

const READ = { path: START };
const PROVIDERS = ['anthropic', 'google'] as const;
const overloaded = { type: 'overloaded_error', message: 'Overloaded' };

describe.each(PROVIDERS)('the API of %s', (provider) => {
  it('runs a turn, and gets its own signed thinking back', async () => {
    const script = [{ reasoning: '想一想', ...calls(call('read_file', READ)) }, done('读过了。')];
    const game = await openGame({ provider, script });
    await game.send('读一下');
    expect(await game.items('thinking')).toMatchObject([{ text: '想一想' }]);
    expect(await game.items('completion')).toMatchObject([{ text: '读过了。' }]);
    const second = JSON.stringify(game.server.requests[1]?.body);
    expect(second).toContain('fake-signature');
    expect(second).toContain('你来了');
  });

  const faults: [string, FakeStep, string][] = [
    ['a refused key', { status: 401, body: { error: { message: 'invalid x-api-key' } } }, 'key'],
    [
      'a full window',
      { status: 400, body: { error: { message: 'prompt is too long: 9 tokens > 8 maximum' } } },
      'tooLong',
    ],
    ['an empty answer', {}, 'empty'],
    ['an overload in the stream', { failure: overloaded }, 'overloaded'],
    ['a web page', { status: 200, body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } }, 'webPage'],
    ['a filter', { text: ['Once'], finish: provider === 'google' ? 'SAFETY' : 'refusal' }, 'filtered'],
  ];
  it.each(faults)('names %s', async (_name, step, problem) => {
    const game = await openGame({ provider, script: [step, step, step, step, step] });
    await game.send('写一句');
    expect(await game.items('end')).toMatchObject([{ error: { reason: `model.${problem}` } }]);
  });
});

describe('a change of the provider', () => {
  it('sends no signature of one service to another', async () => {
    const script = [{ reasoning: '想一想', ...calls(call('read_file', READ)) }, done(), { text: '好。' }];
    const game = await openGame({ provider: 'anthropic', script });
    await game.send('读一下');
    const provider = 'kimi';
    await game.ask('settings.choose', { provider, choice: { baseUrl: game.server.url, model: 'kimi-k3' } });
    await game.ask('settings.setKey', { provider, key: 'sk-other-key' });
    await game.ask('settings.update', { provider });
    await game.send('再来');
    const third = JSON.stringify(game.server.requests[2]?.body);
    expect(third).not.toMatch(/fake-signature|想一想/);
    expect(third).toContain('reasoning_content');
  });
});
