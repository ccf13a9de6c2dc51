import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  OfferedCapability,
  parseGatewayFrame,
  parseProviderFrame,
} from '../../../shared/model/capability/provider-frames.ts';
import { provider as dice } from '../examples/dice.ts';
import { provider as glossary } from '../examples/glossary.ts';
import { type CallContext, CapabilityFailure, type Connection, createProvider, type Provider } from './index.ts';
import { toFrame } from './running-calls.ts';
import { loadSchema } from './testing/frame-schema.ts';
import { type MockGateway, replay, startMockGateway, type ToldFacts } from './testing.ts';

const EXAMPLES = join(import.meta.dirname, '..', 'examples');
const RISK = { level: 'low', reason: 'It only waits.' } as const;

let gateway: MockGateway;
let connection: Connection | undefined;
beforeEach(async () => {
  gateway = await startMockGateway({ heartbeatInterval: 50 });
});
afterEach(async () => {
  connection?.close();
  await gateway.close();
});

async function connect(provider: Provider): Promise<void> {
  connection = provider.connect({ url: gateway.url, token: gateway.token });
  await connection.ready;
  await gateway.nextRegistration();
}

/** A provider with a call that ends when the test says so. */
function createWaiting() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const aborted: string[] = [];
  const provider = createProvider({
    id: 'waiting',
    name: 'Waiting',
    capabilities: {
      wait: {
        ...{ type: 'context', name: 'Wait', description: 'Waits.', risk: RISK, parameters: { type: 'object' } },
        async run({ key }, { signal, progress }) {
          started.push(String(key));
          progress(0.5, 'half');
          signal.addEventListener('abort', () => aborted.push(String(key)));
          await new Promise<void>((resolve) => ends.push(resolve));
          return { key: String(key) };
        },
      },
    },
  });
  return { provider, started, ends, aborted };
}

test.each([dice, glossary])(
  'what the example $id offers is accepted by the app and fits the published schema',
  (provider) => {
    const description = provider.describe();
    const isValid = loadSchema('provider-description-v1');
    expect([isValid(description), isValid.errors]).toEqual([true, null]);
    for (const each of description.capabilities as object[]) OfferedCapability.parse(each);
  },
);

test('a call is answered, with progress before and an event beside it', async () => {
  await connect(dice);
  const roll = gateway.call('ext.dice.roll', { count: 3, sides: 6, seed: 7 });
  const once = await dice.run('ext.dice.roll', { count: 3, sides: 6, seed: 7 });
  expect(await roll.result).toEqual({ success: true, data: once });
  expect(await gateway.nextEvent()).toMatchObject({ eventId: 'ext.dice.rolled', data: { sum: once.sum } });
  expect(gateway.problems).toEqual([]);
});

describe('a failure', () => {
  test('keeps the code and the sentence that the provider chose', async () => {
    await connect(glossary);
    const term = { language: 'en', term: '灯', translation: 'lantern' };
    expect(await gateway.call('ext.translationglossary.add', term).result).toMatchObject({ success: true });
    expect(await gateway.call('ext.translationglossary.add', term).result).toMatchObject({
      success: false,
      error: { code: 'BUSINESS.CONFLICT', message: 'The term is there already: lantern' },
    });
  });

  test('that was not expected says nothing of this program', async () => {
    const secret = createProvider({
      id: 'failing',
      name: 'Failing',
      capabilities: {
        fail: {
          ...{ type: 'context', name: 'Fail', description: 'Fails.', risk: RISK, parameters: {} },
          run: () => {
            throw new Error('/home/me/key');
          },
        },
        grow: {
          ...{ type: 'context', name: 'Grow', description: 'Grows.', risk: RISK, parameters: {} },
          run: () => ({ text: 'x'.repeat(5 * 1024 * 1024) }),
        },
      },
    });
    await connect(secret);
    expect(await gateway.call('ext.failing.fail', {}).result).toEqual({
      success: false,
      error: { code: 'SYSTEM.INTERNAL_ERROR', message: 'The provider failed.' },
    });
    expect(await gateway.call('ext.failing.grow', {}).result).toMatchObject({ error: { code: 'BUSINESS.TOO_LARGE' } });
    expect(await gateway.call('ext.failing.none', {}).result).toMatchObject({
      error: { code: 'PROTOCOL.CAPABILITY_NOT_FOUND' },
    });
  });
});

test('a call goes on while the connection is broken, runs once, and its result is sent afterwards', async () => {
  const { provider, started, ends } = createWaiting();
  await connect(provider);
  const call = gateway.call('ext.waiting.wait', { key: 'a' });
  await expect.poll(() => started).toEqual(['a']);
  gateway.drop();
  ends[0]?.();
  const { resume } = await gateway.nextRegistration();
  expect(resume).toMatchObject({ running: [expect.any(String)] });
  expect(await call.result).toEqual({ success: true, data: { key: 'a' } });
  expect(started).toEqual(['a']);
});

test('a connection that breaks before very many answers are confirmed is continued with all of them', async () => {
  // No heartbeat confirms them meanwhile.
  const slow = await startMockGateway({ heartbeatInterval: 60_000 });
  const { provider, started, ends } = createWaiting();
  connection = provider.connect(slow);
  await connection.ready;
  await slow.nextRegistration();
  const start = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => slow.call('ext.waiting.wait', { key: `${from + at}` }));
  const answered = start(0, 64);
  await expect.poll(() => ends.length).toBe(64);
  for (const end of ends.splice(0)) end();
  await Promise.all(answered.map(({ result }) => result));
  const under = start(64, 80);
  await expect.poll(() => ends.length).toBe(16);
  slow.drop();
  const { resume } = await slow.nextRegistration();
  expect([slow.problems, (resume as { running: string[] }).running.length]).toEqual([[], 80]);
  for (const end of ends) end();
  expect(await Promise.all(under.map(({ result }) => result))).toHaveLength(16);
  expect(started).toHaveLength(80);
  await slow.close();
});

test('a session that the app forgot aborts what ran in it', async () => {
  const { provider, started, aborted } = createWaiting();
  await connect(provider);
  gateway.call('ext.waiting.wait', { key: 'a' });
  await expect.poll(() => started).toEqual(['a']);
  gateway.drop({ forget: true });
  await expect.poll(() => aborted).toEqual(['a']);
});

test('a cancelled call is aborted and not answered', async () => {
  const { provider, ends, aborted } = createWaiting();
  await connect(provider);
  const call = gateway.call('ext.waiting.wait', { key: 'a' });
  await expect.poll(() => call.progress).toEqual([{ fraction: 0.5, note: 'half' }]);
  call.cancel();
  await expect.poll(() => aborted).toEqual(['a']);
  ends[0]?.();
  const isAnswered = await Promise.race([call.result.then(() => true), new Promise((r) => setTimeout(r, 200, false))]);
  expect(isAnswered).toBe(false);
});

describe('a call tells its handler', () => {
  const told: Partial<CallContext>[] = [];
  const provider = createProvider({
    id: 'curious',
    name: 'Curious',
    capabilities: {
      note: {
        ...{ type: 'context', name: 'Note', description: 'Notes.', version: '2.1.0', risk: RISK, parameters: {} },
        run(_, { signal: _signal, progress: _progress, ...context }) {
          told.push(context);
          return {};
        },
      },
    },
  });
  const note = (more?: Partial<ToldFacts> | null) => gateway.call('ext.curious.note', {}, more).result;

  test('its version, the caller, the turn and the language, and what a test chose', async () => {
    await connect(provider);
    await note();
    const ids = {
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      traceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    };
    expect(told.at(-1)).toEqual({ ...ids, version: '2.1.0', caller: 'model', language: 'en' });
    const traceId = crypto.randomUUID();
    await note({ version: '2.0.0', caller: 'client', language: 'ja', traceId });
    expect(told.at(-1)).toEqual({ ...ids, version: '2.0.0', caller: 'client', language: 'ja', traceId });
  });

  test('null for what an app of an earlier version leaves out', async () => {
    await connect(provider);
    expect(await note(null)).toEqual({ success: true, data: {} });
    expect(told.at(-1)).toMatchObject({ version: null, caller: null, traceId: null, language: null });
  });

  test('nothing if it was made for another major version than the one that is offered by now', async () => {
    await connect(provider);
    const before = told.length;
    expect(await note({ version: '1.0.0' })).toMatchObject({ error: { code: 'PROTOCOL.VERSION_MISMATCH' } });
    expect(told).toHaveLength(before);
  });
});

test('the mock gateway asks with frames that the app could have sent', async () => {
  const socket = new WebSocket(gateway.url, { headers: { authorization: `Bearer ${gateway.token}` } });
  await new Promise((resolve) => socket.on('open', resolve));
  const next = () => new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))));
  const accepted = next();
  socket.send(JSON.stringify(toFrame('register', { protocol: '1.0.0', ...dice.describe() })));
  expect(parseGatewayFrame(await accepted).type).toBe('register_ack');
  const asked = next();
  gateway.call('ext.dice.roll', { count: 1, sides: 6 });
  expect(parseGatewayFrame(await asked)).toMatchObject({ payload: { version: '1.0.0', context: { caller: 'model' } } });
  socket.close();
});

test('events wait for a connection, and of too many the oldest are left out and counted', async () => {
  await connect(dice);
  gateway.drop();
  // Until the provider knows; it tries again after 100 ms at the earliest.
  await new Promise((resolve) => setTimeout(resolve, 40));
  for (let sum = 0; sum < 300; sum += 1) dice.emit('rolled', { sum });
  await gateway.nextRegistration();
  expect(await gateway.nextEvent()).toMatchObject({ data: { sum: connection?.lostEvents() } });
  expect(connection?.lostEvents()).toBe(44);
});

test('ids that the app would refuse are refused when the provider is created', () => {
  const capability = dice.describe();
  expect(capability.provider).toMatchObject({ id: 'dice' });
  const create = (id: string, key: string) => () =>
    createProvider({
      id,
      name: 'x',
      capabilities: { [key]: { type: 'event', name: 'x', description: 'x', risk: RISK, returns: {} } },
    });
  expect(create('Dice', 'roll')).toThrow('no valid id of a provider');
  for (const id of ['Dice', 'dice_', 'x'.repeat(65), 'webgal-agent', '']) {
    expect(() => createProvider({ id, name: 'x', capabilities: {} }), id).toThrow('no valid id of a provider');
  }
  expect(create('dice', '../roll')).toThrow('no valid id');
});

test('the mock gateway reports a frame that does not fit', async () => {
  const own = createProvider({ id: 'odd', name: '', capabilities: {} });
  connection = own.connect({ url: gateway.url, token: gateway.token });
  await connection.ready;
  expect(gateway.problems.join()).toContain('register');
});

test('a wrong token ends the attempts', async () => {
  connection = dice.connect({ url: gateway.url, token: 'wrong' });
  await expect(connection.ready).rejects.toThrow('refused the token');
  await connection.closed;
});

test('frames of both sides are those that the app reads', () => {
  const register = toFrame('register', { protocol: '1.0.0', ...dice.describe() });
  expect(parseProviderFrame(JSON.stringify(register)).type).toBe('register');
  expect(parseGatewayFrame(JSON.stringify(toFrame('cancel', { reason: 'stopped' }, 'r'))).type).toBe('cancel');
  expect(new CapabilityFailure('SYSTEM.TIMEOUT', 'x')).toMatchObject({ code: 'SYSTEM.TIMEOUT' });
});

describe('recorded calls', () => {
  test('are compared with what the provider answers now, in a process without rights', async () => {
    const response = await dice.run('ext.dice.roll', { count: 2, sides: 6, seed: 1 });
    const calls = [
      { capability: 'ext.dice.roll', parameters: { count: 2, sides: 6, seed: 1 }, response },
      { capability: 'ext.dice.roll', parameters: { count: 2, sides: 6 } },
      { capability: 'ext.dice.roll', parameters: { count: 2, sides: 6, seed: 1 }, response: { sum: 0, results: [] } },
      { capability: 'ext.dice.roll', parameters: { count: 2 } },
      { capability: 'ext.dice.throw', parameters: {} },
      { capability: 'ext.dice.roll', parameters: { count: 2, sides: 6 }, told: { version: '2.0.0' } },
    ];
    const report = await replay({ file: join(EXAMPLES, 'dice.ts'), calls });
    expect(report.passed).toBe(2);
    expect(report.failed.map(({ call, problem }) => [call, problem.split(':')[0]])).toEqual([
      [2, 'the result is another one'],
      [3, 'the parameters do not fit'],
      [4, 'it is not offered'],
      [5, 'it failed with PROTOCOL.VERSION_MISMATCH'],
    ]);
  });

  test('of a failure that was expected pass', async () => {
    const add = { language: 'en', term: '灯', translation: 'lantern' };
    const capability = 'ext.translationglossary.add';
    const report = await replay({
      file: join(EXAMPLES, 'glossary.ts'),
      calls: [
        { capability, parameters: add, response: { before: null } },
        { capability, parameters: add, error: 'BUSINESS.CONFLICT' },
        { capability: 'ext.translationglossary.find', parameters: { language: 'en', text: '一盏灯' } },
      ],
    });
    expect(report).toEqual({ passed: 3, failed: [] });
  });

  test('of a provider that writes, connects or hangs fail', { timeout: 120_000 }, async () => {
    const folder = join(import.meta.dirname, '..', '..', '..', 'tests', 'support', 'providers');
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const run = (name: string, timeoutMs = 30_000) =>
      replay({
        file: join(folder, 'greedy-provider.ts'),
        calls: [{ capability: `ext.greedy.${name}`, parameters: { port, url: `http://127.0.0.1:${port}/` } }],
        reads: [join(import.meta.dirname)],
        timeoutMs,
      });
    expect((await run('write')).failed[0]?.problem).toContain('ERR_ACCESS_DENIED');
    expect((await run('spawn')).failed[0]?.problem).toContain('ERR_ACCESS_DENIED');
    for (const way of ['fetch', 'connect', 'listen', 'resolve']) {
      expect((await run(way)).failed[0]?.problem, way).toContain('ERR_ACCESS_DENIED');
    }
    expect(requests).toBe(0);
    server.close();
    expect((await run('variables')).passed).toBe(1);
    await expect(run('hang', 3000)).rejects.toThrow('did not end in time');
  });
});
