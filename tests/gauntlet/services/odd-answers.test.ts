import { describe, expect, it } from 'vitest';
import { assertLegal } from '../support/assert-legal.ts';
import { openGame, START, START_TEXT } from '../support/open-game.ts';
import { call, calls, done, toToolAnswers } from '../support/steps.ts';

const READ = { path: START };
const args = JSON.stringify(READ);

const LEAKS: [string, string][] = [
  ['Qwen', `<tool_call>\n{"name":"read_file","arguments":${args}}\n</tool_call>`],
  ['GLM', `<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>${START}</arg_value>\n</tool_call>`],
  [
    'Kimi',
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_calls_section_end|>`,
  ],
  ['Llama', `<function=read_file>${args}</function>`],
];

describe('a call that comes as text', () => {
  it.each(LEAKS)('runs in the form of %s', async (_name, text) => {
    const game = await openGame({ script: [{ text: `我看一下。\n${text}` }, done()] });
    await game.send('读一下');
    const [, second] = game.server.requests;
    if (!second) throw new Error('The call did not run.');
    assertLegal(second);
    expect(toToolAnswers(second)[0]).toContain('你来了');
    const shown = (await game.items('assistant')).map((item) => item.text).join('');
    expect(shown).toContain('我看一下');
    expect(shown).not.toMatch(/tool_call|function=/);
  });

  it('is reported when it is cut off, and the model corrects it', async () => {
    const game = await openGame({
      script: [{ text: '<tool_call>{"name":"read_file","argu' }, calls(call('read_file', READ)), done()],
    });
    await game.send('读一下');
    expect(toToolAnswers(game.server.requests[1] ?? { path: '', headers: {}, body: {} })[0]).toContain('came as text');
    expect(await game.items('completion')).toHaveLength(1);
  });

  it('does not run when the answer quotes it', async () => {
    const quoted =
      '格式是：\n```\n<tool_call>{"name":"delete_file","arguments":{"path":"game/scene/start.txt"}}</tool_call>\n```\n';
    const game = await openGame({ script: [{ text: quoted }] });
    await game.send('格式是什么？');
    expect(await game.disk()).toBe(START_TEXT);
    expect(await game.items('tool')).toEqual([]);
    expect(await game.proposal()).toBeNull();
  });
});

describe('an answer', () => {
  it('shows thinking in tags as thinking', async () => {
    const game = await openGame({ script: [{ text: ['<think>先想', '想。</think>', '好的。'] }] });
    await game.send('你好');
    expect(await game.items('thinking')).toMatchObject([{ text: '先想想。' }]);
    expect((await game.items('assistant')).map((item) => item.text.trim())).toEqual(['好的。']);
  });

  it('is read whole when the service does not stream', async () => {
    const tool = { id: 'c1', type: 'function', function: { name: 'read_file', arguments: args } };
    const body = (message: object) => ({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'story',
      choices: [{ index: 0, message }],
    });
    const game = await openGame({
      script: [
        { status: 200, body: body({ role: 'assistant', content: null, tool_calls: [tool] }) },
        { status: 200, body: body({ role: 'assistant', content: '读过了。' }) },
      ],
    });
    await game.send('读一下');
    expect((await game.items('assistant')).map((item) => item.text)).toEqual(['读过了。']);
    expect(toToolAnswers(game.server.requests[1] ?? { path: '', headers: {}, body: {} })[0]).toContain('你来了');
  });
});

describe('a change of model', () => {
  it('gives Kimi thinking for the calls of another model', async () => {
    const game = await openGame({
      script: [calls(call('read_file', READ)), done(), { text: '好。' }],
    });
    await game.send('读一下');
    const choice = { baseUrl: game.server.url, model: 'moonshotai/kimi-k2.6' };
    await game.ask('settings.choose', { provider: 'custom', choice });
    await game.send('再来');
    const messages = game.server.requests[2]?.body.messages ?? [];
    const steps = messages.filter(({ tool_calls }) => tool_calls?.length);
    expect(steps).toHaveLength(2);
    for (const step of steps) expect(step.reasoning_content).toMatch(/\S/);
    expect(game.server.requests[2]?.body.model).toBe('moonshotai/kimi-k2.6');
  });

  it('keeps the thinking of the same model, and drops it for one that does not demand it', async () => {
    const game = await openGame({
      script: [{ reasoning: '想一想', ...calls(call('read_file', READ)) }, done(), { text: '好。' }],
    });
    await game.send('读一下');
    const thoughts = (index: number) =>
      (game.server.requests[index]?.body.messages ?? []).map((message) => message.reasoning_content).filter(Boolean);
    expect(thoughts(1)).toEqual(['想一想']);
    await game.ask('settings.choose', { provider: 'custom', choice: { baseUrl: game.server.url, model: 'other' } });
    await game.send('再来');
    expect(thoughts(2)).toEqual([]);
  });
});
