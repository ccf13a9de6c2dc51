import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type ProviderChoice, type ProviderId } from '../../../shared/model/settings.ts';
import {
  createFakeModelServer,
  type FakeModelServer,
  type FakeScript,
  type FakeStep,
} from '../../../tests/support/services/fake-model-server.ts';
import type { ModelEvent, ModelMessage, Models } from '../../core/ports/models.ts';
import { createModels } from './create-models.ts';

const tools = [{ name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object', properties: {} } }];
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(script: FakeScript): Promise<FakeModelServer> {
  const server = await createFakeModelServer(script);
  closing.push(() => server.close());
  return server;
}

function connect(baseUrl: string, provider: ProviderId = 'custom', choice: Partial<ProviderChoice> = {}): Models {
  const settings = { ...DEFAULT_SETTINGS, provider, choices: { [provider]: { baseUrl, model: 'story', ...choice } } };
  return createModels({
    settings: { read: async () => settings },
    secrets: { get: async () => ({ kind: 'key', key: 'sk-canary-0123456789' }) },
    timeouts: { firstChunk: 5000, chunk: 5000 },
  });
}

/** Returns the events of a step without the sign that a call is written. */
async function collect(models: Models, messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }]) {
  const events: ModelEvent[] = [];
  const model = await models.current();
  const signal = new AbortController().signal;
  for await (const event of model.stream({ instructions: 'Be brief.', messages, tools, signal })) {
    if (event.kind !== 'writing') events.push(event);
  }
  return events;
}

const run = async (step: FakeStep) => collect(connect((await serve([step])).url));
const toText = (events: readonly ModelEvent[]) =>
  events.map((event) => (event.kind === 'text' ? event.text : '')).join('');

const html = '<!doctype html><html><head><style>p{}</style></head><body><p>Please sign in</p></body></html>';

describe('an answer that is none', () => {
  const cases: [string, FakeStep, object][] = [
    [
      'a web page',
      { status: 200, body: html, headers: { 'content-type': 'text/html' } },
      { problem: 'webPage', detail: '200 Please sign in', retryable: false },
    ],
    [
      'a web page that calls itself a stream',
      { status: 200, body: html, headers: { 'content-type': 'text/event-stream' } },
      { problem: 'webPage' },
    ],
    [
      'a web page with 404',
      { status: 404, body: html, headers: { 'content-type': 'text/html' } },
      { problem: 'wrongPath', detail: '404 Please sign in' },
    ],
    [
      'an empty balance inside a 200',
      { status: 200, body: { error: { message: 'Insufficient Balance' } } },
      { problem: 'balance', retryable: false },
    ],
    [
      'an overload inside a 200',
      { status: 200, body: { error: { code: 503, message: 'Provider returned error' } } },
      { problem: 'overloaded', retryable: true },
    ],
    [
      'an unexpected path inside a 200',
      { status: 200, body: { error: 'Unexpected endpoint or method. (POST /chat)' } },
      { problem: 'wrongPath' },
    ],
    [
      'an error code inside a 200',
      { status: 200, body: { code: 'Arrearage', message: 'Access denied' } },
      { problem: 'balance' },
    ],
    [
      'JSON of another service',
      { status: 200, body: { status: 'up' } },
      { problem: 'notStreamed', detail: '200 {"status":"up"}', retryable: false },
    ],
    ['broken JSON', { status: 200, body: '{"choices":' }, { problem: 'badAnswer' }],
    ['a blank answer', { text: [' ', '\n\n'] }, { problem: 'empty', retryable: true }],
    ['thinking alone', { reasoning: ['Hm'] }, { problem: 'empty', retryable: true }],
    [
      'a full window as the reason for the end',
      { text: ['Once'], finish: 'model_context_window_exceeded' },
      { problem: 'tooLong', retryable: false },
    ],
    [
      'an overload as the reason for the end',
      { finish: 'insufficient_system_resource' },
      { problem: 'overloaded', retryable: true },
    ],
    ['a filter as the reason for the end', { finish: 'sensitive' }, { problem: 'filtered', retryable: false }],
    [
      'an unknown reason for the end',
      { text: ['Once'], finish: 'weird' },
      { problem: 'unknownEnd', detail: expect.stringContaining('weird'), retryable: false },
    ],
    ['the longest answer without a word', { finish: 'length' }, { problem: 'lengthLimit', retryable: false }],
    [
      'an error in a stream in a shape of its own',
      { text: [], junk: ['{"code":"1302","message":"rate limit"}'], noFinish: true },
      { problem: 'rate', retryable: true },
    ],
    [
      'an empty balance in a stream',
      { failure: { message: 'Insufficient Balance', code: 402 } },
      { problem: 'balance', retryable: false },
    ],
    [
      'a window that is full in a stream',
      { failure: { message: 'Prompt exceeds max length', code: '1261' } },
      { problem: 'tooLong', retryable: false },
    ],
    [
      'a rate limit with a time to wait',
      { status: 429, headers: { 'retry-after': '7' } },
      { problem: 'rate', retryable: true, retryAfter: 7000 },
    ],
    [
      'a daily limit',
      { status: 429, body: { error: { message: 'Rate limit exceeded: free-models-per-day' } } },
      { problem: 'rate', retryable: false },
    ],
    [
      'a model without tools',
      { status: 400, body: { error: { message: 'story does not support tools' } } },
      { problem: 'noTools', retryable: false },
    ],
    [
      'a refusal for an unknown reason',
      { status: 400, body: { error: { message: 'temperature must be 1' } } },
      { problem: 'refused', detail: expect.stringContaining('temperature must be 1') },
    ],
  ];
  it.each(cases)('is reported with its cause: %s', async (_name, step, expected) => {
    expect((await run(step)).at(-1)).toMatchObject({ kind: 'error', ...expected });
  });

  it('is asked for once', async () => {
    const server = await serve([{ status: 429, headers: { 'retry-after-ms': '1' } }, { text: 'never' }]);
    expect(await collect(connect(server.url))).toMatchObject([{ kind: 'error', problem: 'rate', retryable: true }]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('an address with the wrong scheme', () => {
  it('is named when https meets a server without encryption', async () => {
    const server = await serve([]);
    const events = await collect(connect(server.url.replace('http:', 'https:')));
    expect(events).toMatchObject([{ kind: 'error', problem: 'scheme', retryable: false }]);
  });

  it('is named when http meets a server with encryption', async () => {
    // A TLS server answers plain text with an alert record.
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect(await collect(connect(`http://127.0.0.1:${port}/v1`))).toMatchObject([{ kind: 'error', problem: 'scheme' }]);
  });
});

describe('a service that does not stream', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } };
  const message = { role: 'assistant', content: 'Hello there', reasoning_content: 'Hm', tool_calls: [call] };
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

  it('is read as a stream, with thinking, calls and usage', async () => {
    const body = {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'story',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage,
    };
    const events = await run({ status: 200, body });
    expect(events).toMatchObject([
      { kind: 'thinking', text: 'Hm' },
      { kind: 'text', text: 'Hello there' },
      { kind: 'call', call: { name: 'read_file', input: { path: 'a' } } },
      { kind: 'done', finish: 'tool-calls', usage: { input: 9, output: 3 } },
    ]);
  });

  it('accepts a stream that is labelled as a web page', async () => {
    const events = await run({ text: ['Hello'], headers: { 'content-type': 'text/html' } });
    expect(events).toMatchObject([{ kind: 'text', text: 'Hello' }, { kind: 'done' }]);
  });
});

/** A model of a provider whose service answers every request with one body. */
function answer(provider: ProviderId, body: unknown): Models {
  const settings = {
    ...DEFAULT_SETTINGS,
    provider,
    choices: { [provider]: { baseUrl: 'https://service.example/v1', model: 'story' } },
  };
  return createModels({
    settings: { read: async () => settings },
    secrets: { get: async () => ({ kind: 'key', key: 'sk-canary-0123456789' }) },
    fetch: async () => Response.json(body),
  });
}

describe('a whole answer of another API', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm', signature: 'signed' },
    { type: 'text', text: 'Hello' },
    { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
  ];
  const message = { type: 'message', id: 'm', role: 'assistant', model: 'story', content };

  it("is read in Anthropic's shape, with the signature", async () => {
    const body = { ...message, stop_reason: 'tool_use', usage: { input_tokens: 9, output_tokens: 3 } };
    const events = await collect(answer('anthropic', body));
    expect(events).toMatchObject([
      { kind: 'thinking', text: 'Hm' },
      { kind: 'text', text: 'Hello' },
      { kind: 'call', call: { id: 'c1', input: { path: 'a' } } },
      { kind: 'done', usage: { input: 9, output: 3 } },
    ]);
    expect(JSON.stringify(events.at(-1))).toContain('"signature":"signed"');
  });

  it('reports a full window as too long', async () => {
    const body = {
      ...message,
      content: [{ type: 'text', text: 'Once' }],
      stop_reason: 'model_context_window_exceeded',
      usage: { input_tokens: 9, output_tokens: 3 },
    };
    expect((await collect(answer('anthropic', body))).at(-1)).toMatchObject({ kind: 'error', problem: 'tooLong' });
  });

  it("is read in Google's shape, as one object or a list of pieces", async () => {
    const piece = (text: string, end?: string) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, ...(end && { finishReason: end }) }],
    });
    expect(toText(await collect(answer('google', piece('Hello', 'STOP'))))).toBe('Hello');
    expect(toText(await collect(answer('google', [piece('Hel'), piece('lo', 'STOP')])))).toBe('Hello');
  });

  it('reports a question that Google blocked', async () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
    expect(await collect(answer('google', blocked))).toMatchObject([{ kind: 'error', problem: 'filtered' }]);
  });
});

describe('thinking and calls in the text', () => {
  it('shows tagged thinking as thinking', async () => {
    const events = await run({ text: ['<thi', 'nk>I sho', 'uld greet.</th', 'ink>\n\nHel', 'lo'] });
    const thinking = events.map((event) => (event.kind === 'thinking' ? event.text : '')).join('');
    expect(thinking).toBe('I should greet.');
    expect(toText(events).trim()).toBe('Hello');
    expect(events.at(-1)).toMatchObject({
      kind: 'done',
      messages: [{ content: [{ type: 'reasoning', text: 'I should greet.' }, { type: 'text' }] }],
    });
  });

  it('runs a complete call, and keeps it as a call in the history', async () => {
    const events = await run({ text: 'I look.\n<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>' });
    expect(toText(events)).toBe('I look.\n');
    expect(events.slice(-2)).toMatchObject([
      { kind: 'call', call: { name: 'read_file', input: { path: 'a' } } },
      {
        kind: 'done',
        messages: [
          {
            content: [
              { type: 'text', text: 'I look.' },
              { type: 'tool-call', toolName: 'read_file', input: { path: 'a' } },
            ],
          },
        ],
      },
    ]);
  });

  it('reports an incomplete call to the model, with what it wrote', async () => {
    const written = '<tool_call>{"name":"read_file","arg';
    const events = await run({ text: written });
    expect(toText(events)).toBe('');
    expect(events.slice(-2)).toMatchObject([
      { kind: 'call', call: { name: 'read_file', invalid: expect.stringContaining('came as text') } },
      {
        kind: 'done',
        messages: [
          {
            content: [
              { type: 'text', text: written },
              { type: 'tool-call', input: {} },
            ],
          },
        ],
      },
    ]);
  });

  it('shows a call as text beside a real one', async () => {
    const events = await run({
      text: '<function=read_file>{}</function>',
      calls: [{ name: 'read_file', args: {}, id: 'c1' }],
    });
    expect(toText(events)).toBe('<function=read_file>{}</function>');
    expect(events.filter(({ kind }) => kind === 'call')).toMatchObject([{ call: { id: 'c1' } }]);
  });
});

describe('time limits', () => {
  const timeouts = { firstChunk: 5000, chunk: 5000 };
  const settings = (baseUrl: string) => ({
    ...DEFAULT_SETTINGS,
    provider: 'custom' as const,
    choices: { custom: { baseUrl, model: 'story' } },
  });
  const limited = async (step: FakeStep, limits: object) => {
    const { url } = await serve([step]);
    return collect(
      createModels({
        settings: { read: async () => settings(url) },
        secrets: { get: async () => ({ kind: 'none' }) },
        timeouts: { ...timeouts, ...limits },
      }),
    );
  };

  it('do not end a slow answer that continues', async () => {
    const text = Array.from({ length: 30 }, () => 'a');
    const events = await limited({ text, delay: 90 }, { answer: 2000 });
    expect(toText(events)).toBe('a'.repeat(30));
    expect(events.at(-1)).toMatchObject({ kind: 'done' });
  });

  it('end a connection that sends only keep-alive bytes', async () => {
    const text = Array.from({ length: 200 }, () => '');
    const events = await limited({ text, delay: 10 }, { answer: 300 });
    expect(events).toMatchObject([{ kind: 'error', problem: 'timeout', detail: 'The service sent no answer.' }]);
  });
});

describe('what a service is asked', () => {
  const history: ModelMessage[] = [
    { role: 'user', content: 'Hello' },
    {
      role: 'assistant',
      by: { provider: 'anthropic', model: 'claude-sonnet-5-5' },
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'secret' } } },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read_file', output: { type: 'text', value: 'x' } }],
    },
  ];

  it('gives Kimi the thinking that it demands after a change of model', async () => {
    const server = await serve([{ text: 'ok' }]);
    await collect(connect(server.url, 'kimi', { model: 'kimi-k3' }), history);
    const [, , step] = server.requests[0]?.body.messages ?? [];
    expect(step?.reasoning_content).toMatch(/\S/);
    expect(JSON.stringify(server.requests[0]?.body)).not.toMatch(/secret|Hm\./);
  });

  it('sends the thinking effort, or omits it for the default of the service', async () => {
    for (const [effort, sent] of [
      ['low', 'low'],
      ['default', undefined],
      [undefined, undefined],
    ] as const) {
      const server = await serve([{ text: 'ok' }]);
      await collect(connect(server.url, 'custom', effort && { effort }));
      expect(server.requests[0]?.body.reasoning_effort).toBe(sent);
    }
  });

  it('limits the answer to the figure of the user', async () => {
    const server = await serve([{ text: 'ok' }]);
    await collect(connect(server.url, 'custom', { limits: { story: { output: 700 } } }));
    expect(server.requests[0]?.body.max_tokens).toBe(700);
  });
});

describe('the fast model', () => {
  const modelOf = async (models: Models) => (await models.fast()).identity?.model;

  it('is the choice of the user, else that of the catalogue, else the main model', async () => {
    const deepseek = 'https://api.deepseek.com';
    expect(await modelOf(connect(deepseek, 'deepseek', { fastModel: 'quick' }))).toBe('quick');
    expect(await modelOf(connect(deepseek, 'deepseek'))).toBe('deepseek-flash');
    expect(await modelOf(connect(deepseek, 'deepseek', { fastModel: '' }))).toBe('story');
    expect(await modelOf(connect('https://gateway.example/v1', 'deepseek'))).toBe('story');
    expect(await modelOf(connect('https://gateway.example/v1'))).toBe('story');
  });

  it('has limits of its own', async () => {
    const models = connect('https://open.bigmodel.cn/api/paas/v4', 'glm', { model: 'glm-5.2' });
    expect((await models.current()).limits?.window).toBe(1_000_000);
    expect((await models.fast()).limits?.window).toBe(200_000);
  });
});
