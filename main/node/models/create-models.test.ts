import { afterEach, describe, expect, it, vi } from 'vitest';
import { toProviderOrigins } from '../../../shared/model/provider-address.ts';
import { DEFAULT_SETTINGS, type ProviderId, type Settings } from '../../../shared/model/settings.ts';
import {
  createFakeModelServer,
  type FakeModelServer,
  type FakeScript,
  type FakeStep,
} from '../../../tests/support/services/fake-model-server.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../core/ports/models.ts';
import { createSecrets } from '../app-data/secrets.ts';
import { createModels, type ModelsOptions } from './create-models.ts';
import * as languageModel from './language-model.ts';
import { streamStep } from './stream-step.ts';

const KEY = 'sk-canary-0123456789abcdef';
const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

let server: FakeModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

function toSettings(provider: ProviderId | null, baseUrl: string): Settings {
  return { ...DEFAULT_SETTINGS, provider, choices: provider ? { [provider]: { baseUrl, model: 'story' } } : {} };
}

async function connect(script: FakeScript, options: Partial<ModelsOptions> & { provider?: ProviderId } = {}) {
  server = await createFakeModelServer(script);
  const { provider = 'custom', ...rest } = options;
  const settings = toSettings(provider, server.url);
  return createModels({
    settings: { read: async () => settings },
    secrets: { get: async () => ({ kind: 'key' as const, key: KEY }) },
    ...rest,
  });
}

async function run(
  script: FakeScript,
  options: Parameters<typeof connect>[1] & { request?: Partial<ModelRequest> } = {},
) {
  const { request, ...rest } = options;
  const model = await (await connect(script, rest)).current();
  return collect(
    model.stream({
      instructions: 'Be brief.',
      messages: [{ role: 'user', content: 'Hello' }],
      tools,
      signal: new AbortController().signal,
      ...request,
    }),
  );
}

/** Returns the events of a step without the sign that a call is written. */
async function collect(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) if (event.kind !== 'writing') events.push(event);
  return events;
}

const toKinds = (events: readonly ModelEvent[]) => events.map(({ kind }) => kind);

describe('a step over the network', () => {
  it('shows that a call is written, also when it breaks off', async () => {
    const models = await connect([{ calls: [{ name: 'read_file', args: '{"path":"a"}' }], dieAfter: 2 }]);
    const kinds: string[] = [];
    const { signal } = new AbortController();
    const asked = { instructions: '', messages: [{ role: 'user', content: 'Hello' }] as const, tools, signal };
    for await (const { kind } of (await models.current()).stream(asked)) kinds.push(kind);
    expect(kinds).toEqual(['writing', 'error']);
  });

  it('streams thinking and text, and returns what the history needs', async () => {
    const events = await run([{ reasoning: ['hm'], text: ['Hel', 'lo'], usage: { input: 50, output: 7, cached: 30 } }]);
    expect(events).toEqual([
      { kind: 'thinking', text: 'hm' },
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
      {
        kind: 'done',
        finish: 'stop',
        usage: { input: 50, cached: 30, output: 7 },
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'hm' },
              { type: 'text', text: 'Hello' },
            ],
          },
        ],
      },
    ]);
    const sent = server?.requests[0];
    expect(sent?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(sent?.body).toMatchObject({
      model: 'story',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    });
    expect(JSON.stringify(sent?.body)).not.toContain(KEY);
  });

  it('accepts calls whose index begins at 1 and whose finish reason is stop', async () => {
    const events = await run([
      { calls: [{ name: 'read_file', args: { path: 'a' }, id: 'c1' }], firstIndex: 1, finish: 'stop' },
    ]);
    expect(events[0]).toEqual({ kind: 'call', call: { id: 'c1', name: 'read_file', input: { path: 'a' } } });
    expect(toKinds(events)).toEqual(['call', 'done']);
  });

  it('sends the reasoning of earlier steps and tool results back', async () => {
    const history: ModelMessage[] = [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'I should look.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: { path: 'a' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'read_file', output: { type: 'json', value: { x: 1 } } },
        ],
      },
    ];
    for (const provider of ['custom', 'deepseek', 'kimi', 'glm'] as const) {
      await run([{ text: 'ok' }], { provider, request: { messages: history } });
      const messages = server?.requests[0]?.body.messages;
      expect(messages?.[2], provider).toMatchObject({ role: 'assistant', reasoning_content: 'I should look.' });
      expect(messages?.[3], provider).toMatchObject({ role: 'tool', tool_call_id: 'c1', content: '{"x":1}' });
      await server?.close();
    }
  });

  it('gives two calls with the same id different ids, also in the history', async () => {
    const events = await run([
      {
        calls: [
          { name: 'read_file', args: { path: 'a' }, id: 'same' },
          { name: 'read_file', args: { path: 'b' }, id: 'same' },
        ],
      },
    ]);
    const calls = events.filter((event) => event.kind === 'call').map(({ call }) => call.id);
    const done = events.at(-1);
    const content = done?.kind === 'done' ? (done.messages[0]?.content as { toolCallId: string }[]) : [];
    expect(new Set(calls).size).toBe(2);
    expect(content.map((part) => part.toolCallId)).toEqual(calls);
  });

  it('reports a call with truncated or invalid arguments as invalid and never repairs it', async () => {
    const events = await run([
      { calls: [{ name: 'read_file', args: '{"path":"game/sc', id: 'c1' }], finish: 'length' },
    ]);
    expect(events[0]).toMatchObject({ kind: 'call', call: { id: 'c1', input: undefined } });
    expect(events[0]?.kind === 'call' && events[0].call.invalid).toContain('not valid JSON');
    expect(events[1]).toMatchObject({
      kind: 'done',
      finish: 'length',
      messages: [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', input: {} }] }],
    });
  });

  it('passes on a call of an unknown tool unchanged', async () => {
    const events = await run([{ calls: [{ name: 'rm_rf', args: { path: '/' }, id: 'c1' }] }]);
    expect(events[0]).toEqual({ kind: 'call', call: { id: 'c1', name: 'rm_rf', input: { path: '/' } } });
    expect(toKinds(events)).toEqual(['call', 'done']);
  });

  it('ignores an invalid line in a stream that ends well', async () => {
    const events = await run([{ text: ['fine'], junk: ['{"not json', ': hm'] }]);
    expect(toKinds(events)).toEqual(['text', 'done']);
  });
});

describe('Anthropic', () => {
  it('receives a cached prefix and its own thinking, and its calls are parsed', async () => {
    const events = [
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'story',
          content: [],
          usage: { input_tokens: 10, cache_read_input_tokens: 900, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'signed' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'c1', name: 'read_file', input: {} },
      },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ];
    const sse = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const bodies: string[] = [];
    const settings = toSettings('anthropic', 'https://service.example/v1');
    const models = createModels({
      settings: { read: async () => settings },
      secrets: { get: async () => ({ kind: 'key' as const, key: KEY }) },
      fetch: async (_input, init) => {
        bodies.push(String(init?.body));
        return new Response(sse, { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    const model = await models.current();
    const request = { instructions: 'Be brief.', tools, signal: new AbortController().signal };
    const hello: ModelMessage = { role: 'user', content: 'Hello' };
    const heard = await collect(model.stream({ ...request, messages: [hello] }));
    expect(toKinds(heard)).toEqual(['thinking', 'call', 'done']);
    const done = heard.at(-1);
    if (done?.kind !== 'done') throw new Error('no end');
    expect(done.usage).toEqual({ input: 910, cached: 900, output: 5 });
    expect(JSON.parse(bodies[0] ?? '{}').system).toEqual([
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
    ]);
    const output = { type: 'json', value: 1 };
    const answer = { type: 'tool-result', toolCallId: 'c1', toolName: 'read_file', output };
    await collect(
      model.stream({ ...request, messages: [hello, ...done.messages, { role: 'tool', content: [answer] }] }),
    );
    expect(JSON.parse(bodies[1] ?? '{}').messages[1].content).toMatchObject([
      { type: 'thinking', thinking: 'Hm', signature: 'signed' },
      { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
    ]);
  });
});

describe('a step that fails', () => {
  const cases: [string, FakeStep, object][] = [
    ['a refused key', { status: 401, body: { error: { message: 'bad key' } } }, { problem: 'key', retryable: false }],
    ['an empty balance', { status: 402, body: { error: { message: 'Insufficient Balance' } } }, { problem: 'balance' }],
    [
      'an empty balance as 429',
      { status: 429, body: { error: { code: 'insufficient_quota' } } },
      { problem: 'balance' },
    ],
    ['a missing permission', { status: 403, body: { error: { message: 'no' } } }, { problem: 'forbidden' }],
    ['an unknown model', { status: 404, body: { error: { message: 'no such model' } } }, { problem: 'notFound' }],
    [
      'an unknown model as 400',
      { status: 400, body: { error: { message: 'Model does not exist' } } },
      { problem: 'notFound' },
    ],
    [
      'a conversation that is too long',
      { status: 400, body: { error: { message: "This model's maximum context length is 65536 tokens." } } },
      { problem: 'tooLong' },
    ],
    ['a content filter', { status: 400, body: { error: { message: 'Content Exists Risk' } } }, { problem: 'filtered' }],
    ['a busy service', { status: 503 }, { problem: 'overloaded' }],
    ['a web page', { status: 200, body: '<html>log in</html>', headers: { 'content-type': 'text/html' } }, {}],
    ['an error in the stream', { failure: { message: 'overloaded', type: 'server_error' } }, { retryable: true }],
    ['a missing end', { noFinish: true, text: [] }, { problem: 'cutOff', retryable: true }],
    ['an empty answer', {}, { problem: 'empty', retryable: true }],
    ['a content filter in the stream', { text: ['Once'], finish: 'content_filter' }, { problem: 'filtered' }],
    ['a disconnect before any text', { dieAfter: 1 }, { problem: 'cutOff', retryable: true }],
    [
      'a disconnect after some text',
      { text: ['Once', ' upon'], dieAfter: 2, delay: 5 },
      { problem: 'cutOff', retryable: false },
    ],
    ['an error after some text', { text: ['Once'], failure: { message: 'busy' } }, { retryable: false }],
  ];
  it.each(cases)('reports %s', async (_name, step, expected) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const events = await run([step]);
    expect(events.at(-1)).toMatchObject({ kind: 'error', ...expected });
    expect(toKinds(events).filter((kind) => kind === 'error' || kind === 'done')).toEqual(['error']);
    expect(JSON.stringify(events)).not.toContain(KEY);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it('reports an address without a server', async () => {
    const models = await connect([{}]);
    await server?.close();
    const model = await models.current();
    const request = { instructions: '', messages: [{ role: 'user' as const, content: 'x' }], tools: [] };
    const events = await collect(model.stream({ ...request, signal: new AbortController().signal }));
    expect(events).toMatchObject([{ kind: 'error', problem: 'unreachable' }]);
  });

  it('times out before the first chunk, and between two chunks', async () => {
    const timeouts = { firstChunk: 60, chunk: 60 };
    const first = await run([{ text: ['never'], hangAfter: 1 }], { timeouts });
    expect(first).toMatchObject([{ kind: 'error', problem: 'timeout', retryable: false }]);
    await server?.close();
    const headless = await run([{ wait: 2000, text: 'late' }], { timeouts });
    expect(headless).toMatchObject([{ kind: 'error', problem: 'timeout', retryable: false }]);
    await server?.close();
    const later = await run([{ text: ['Once', ' never'], hangAfter: 2 }], {
      timeouts: { ...timeouts, firstChunk: 5000 },
    });
    expect(later).toMatchObject([{ kind: 'text' }, { kind: 'error', problem: 'timeout', retryable: false }]);
  });

  it('yields no event after cancellation, and closes the connection', async () => {
    const stop = new AbortController();
    const model = await (await connect([{ text: ['a', 'b', 'c', 'd', 'e'], delay: 30 }])).current();
    const heard: ModelEvent[] = [];
    for await (const event of model.stream({
      instructions: '',
      messages: [{ role: 'user', content: 'x' }],
      tools: [],
      signal: stop.signal,
    })) {
      heard.push(event);
      stop.abort();
    }
    expect(toKinds(heard)).toEqual(['text']);
    await expect.poll(() => server?.aborted()).toBe(1);
  });

  it('does not follow a redirect with the key', async () => {
    const events = await run([{ status: 307, headers: { location: 'http://127.0.0.1:9/v1/chat/completions' } }]);
    expect(events).toMatchObject([{ kind: 'error' }]);
    expect(server?.requests).toHaveLength(1);
  });

  it('removes a key that the provider repeats from its reports', async () => {
    const body = {
      error: { message: `Key ${KEY} and Bearer abc.def and sk-other-key-12345678 are wrong`, api_key: 'q9w8e7' },
    };
    const [event] = await run([{ status: 401, body }]);
    const detail = event?.kind === 'error' ? event.detail : '';
    expect(detail).toContain('•••');
    for (const secret of [KEY, 'abc.def', 'sk-other', 'q9w8e7']) expect(detail).not.toContain(secret);
  });
});

describe('choosing and testing', () => {
  const withKey = (key: string | null) => ({
    secrets: { get: async () => (key === null ? { kind: 'none' as const } : { kind: 'key' as const, key }) },
  });

  it('reports what is missing', async () => {
    const none = createModels({ settings: { read: async () => DEFAULT_SETTINGS }, ...withKey(KEY) });
    await expect(none.current()).rejects.toMatchObject({ code: 'E_UNSUPPORTED', reason: 'model.noProvider' });
    const settings = { ...DEFAULT_SETTINGS, provider: 'deepseek' as const };
    const keyless = createModels({ settings: { read: async () => settings }, ...withKey(null) });
    await expect(keyless.current()).rejects.toMatchObject({ code: 'E_UNSUPPORTED', reason: 'model.noKey' });
    expect(await keyless.test('deepseek')).toMatchObject({ status: 'failed', problem: 'noKey' });
  });

  it('never reads a key from the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-the-environment');
    const settings = toSettings('openai', 'http://127.0.0.1:9/v1');
    const models = createModels({ settings: { read: async () => settings }, ...withKey(null) });
    await expect(models.current()).rejects.toMatchObject({ reason: 'model.noKey' });
    vi.unstubAllEnvs();
  });

  it('sends no key where none is needed', async () => {
    server = await createFakeModelServer([{ text: 'ok' }]);
    const settings = toSettings('ollama', server.url);
    const models = createModels({ settings: { read: async () => settings }, ...withKey(null) });
    expect(await models.test('ollama')).toMatchObject({ status: 'ok', model: 'story' });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('tests a connection once, without retries', async () => {
    const models = await connect([{ status: 401, body: { error: { message: `no ${KEY}` } } }]);
    const result = await models.test('custom');
    expect(result).toMatchObject({ status: 'failed', problem: 'key' });
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(server?.requests).toHaveLength(1);
  });

  it('reports an address that must not receive a key', async () => {
    for (const baseUrl of ['http://api.example.com/v1', 'ftp://x', 'nonsense', 'https://u:p@example.com', '']) {
      const settings = toSettings('custom', baseUrl);
      const models = createModels({ settings: { read: async () => settings }, ...withKey(KEY) });
      expect(await models.test('custom'), baseUrl).toMatchObject({ status: 'failed', problem: 'address' });
    }
  });

  it('reports a missing key where a service refuses a request without one', async () => {
    const models = await connect(
      [{ status: 401, body: { error: { message: 'Incorrect API key provided: .' } } }],
      withKey(null),
    );
    expect(await models.test('custom')).toMatchObject({ status: 'failed', problem: 'noKey' });
  });

  it('refuses a key that cannot be a header before it is sent', async () => {
    const models = await connect([{ text: 'ok' }], withKey('我的密钥'));
    expect(await models.test('custom')).toMatchObject({ status: 'failed', problem: 'key' });
    expect(server?.requests).toHaveLength(0);
  });

  it('sends each provider its own key header', async () => {
    const seen = new Map<string, Record<string, string>>();
    for (const provider of ['deepseek', 'qwen', 'kimi', 'glm', 'openai', 'anthropic', 'google', 'lmstudio'] as const) {
      const settings = toSettings(provider, 'https://service.example/v1');
      const models = createModels({
        settings: { read: async () => settings },
        ...withKey(KEY),
        fetch: async (input, init) => {
          seen.set(provider, { url: String(input), ...Object.fromEntries(new Headers(init?.headers)) });
          return new Response('{"error":{"message":"no"}}', { status: 401 });
        },
      });
      expect(await models.test(provider), provider).toMatchObject({ status: 'failed', problem: 'key' });
    }
    for (const [provider, headers] of seen) {
      const sent = [headers.authorization, headers['x-api-key'], headers['x-goog-api-key']];
      expect(
        sent.filter((value) => value?.includes(KEY)),
        provider,
      ).toHaveLength(1);
      expect(headers.url, provider).toMatch(/^https:\/\/service\.example\/v1\//);
      expect(headers.url, provider).not.toContain(KEY);
    }
  });
});

describe('a key that was entered for another address', () => {
  it('is not sent, neither by a turn nor by a connection test', async () => {
    server = await createFakeModelServer([{ text: 'hi' }]);
    const secrets = createSecrets(null);
    const choices = { custom: { baseUrl: 'https://api.example.com/v1', model: 'story' } };
    await secrets.set('custom', KEY, toProviderOrigins(choices));
    const settings = toSettings('custom', server.url);
    const models = createModels({ settings: { read: async () => settings }, secrets });
    await expect(models.current()).rejects.toMatchObject({ reason: 'model.keyElsewhere' });
    expect(await models.test('custom')).toMatchObject({ status: 'failed', problem: 'keyElsewhere' });
    expect(server.requests).toEqual([]);

    await secrets.set('custom', KEY, toProviderOrigins(settings.choices));
    expect(await models.test('custom')).toMatchObject({ status: 'ok' });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe("the SDK's model", () => {
  const ask = { instructions: '', messages: [{ role: 'user' as const, content: 'Hi' }], tools: [] };
  const signal = new AbortController().signal;

  it('is kept for later turns of the same connection, and not after its key was removed', async () => {
    const created = vi.spyOn(languageModel, 'createConnectedModel');
    let key: string | null = KEY;
    const models = await connect(() => ({ text: 'hi' }), {
      secrets: { get: async () => (key === null ? { kind: 'none' as const } : { kind: 'key' as const, key }) },
      provider: 'openai',
    });
    await models.current();
    await models.current();
    expect(created).toHaveBeenCalledTimes(1);
    key = `${KEY}2`;
    await models.current();
    expect(created).toHaveBeenCalledTimes(2);
    key = null;
    await expect(models.current()).rejects.toMatchObject({ reason: 'model.noKey' });
    key = `${KEY}2`;
    await models.current();
    expect(created).toHaveBeenCalledTimes(3);
    created.mockRestore();
  });

  it('reports the bytes of each of its steps to that step only', async () => {
    server = await createFakeModelServer((_, index) => ({
      text: index === 0 ? ['slow'] : ['a', 'b', 'c'],
      wait: index === 0 ? 400 : 0,
    }));
    const { createConnectedModel } = languageModel;
    const model = createConnectedModel({ provider: 'custom', baseUrl: server.url, model: 'story', key: KEY, fetch });
    const heard: [number, number] = [0, 0];
    const run = async (index: 0 | 1) => {
      const connect = (onBytes: () => void) =>
        model(() => {
          heard[index] += 1;
          onBytes();
        });
      const identity = { provider: 'custom', model: 'story' } as const;
      const timeouts = { firstChunk: 5000, chunk: 5000 };
      return collect(streamStep({ connect, identity, request: { ...ask, signal }, timeouts }));
    };
    const slow = run(0);
    await expect.poll(() => server?.requests.length).toBe(1);
    await run(1);
    expect(heard[0]).toBe(0);
    expect(heard[1]).toBeGreaterThan(1);
    await slow;
    expect(heard[0]).toBeGreaterThan(1);
  });
});
