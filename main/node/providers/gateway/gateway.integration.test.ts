import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { provider as dice } from '../../../../packages/provider-sdk/examples/dice.ts';
import { type CallableCapability, createProvider, type Provider } from '../../../../packages/provider-sdk/src/index.ts';
import { CALL_FACTS } from '../../../../tests/support/providers/call-facts.ts';
import type { ProviderGateway } from '../../../core/ports/providers/gateway.ts';
import type { ExternalProvider } from '../../../core/ports/providers/provider.ts';
import { CLOSE, createProviderGateway } from './gateway.ts';

const TIMES = { heartbeatInterval: 5000, resumeWindow: 300, registerWithin: 300, probeWithin: 500 };
const ROLL = {
  ...{ id: 'ext.dice.roll', version: '1.0.0', type: 'context', name: 'Roll', description: 'Rolls.' },
  ...{ parameters: {}, risk: { level: 'low', reason: 'None.' } },
};
const ROLLED = { ...ROLL, id: 'ext.dice.rolled', type: 'event' };
const PROVIDER = { id: 'dice', name: 'Dice' };

let folder: string;
let gateway: ProviderGateway;
let running: { url: string; close(): Promise<void> };
let events: object[];
const open = new Set<{ close(): void }>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-'));
  await start(TIMES);
});

async function start(times: typeof TIMES): Promise<void> {
  gateway = createProviderGateway({ folder, now: Date.now, times });
  events = [];
  running = await gateway.start((event) => events.push(event));
}
afterEach(async () => {
  for (const each of open) each.close();
  open.clear();
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

interface Raw {
  frames: { type: string; correlationId?: string; id: string; payload: Record<string, never> }[];
  code: Promise<number>;
  send(type: string, payload?: object, more?: object): string;
  socket: WebSocket;
}

/** A connection without the SDK. */
async function connectRaw(token: string, options: { autoPong?: boolean } = {}): Promise<Raw> {
  const socket = new WebSocket(running.url, { headers: { authorization: `Bearer ${token}` }, ...options });
  open.add({ close: () => socket.terminate() });
  const frames: Raw['frames'] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  socket.on('error', () => undefined);
  const code = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve());
    socket.on('unexpected-response', (_, { statusCode }) => reject(new Error(String(statusCode))));
  });
  return {
    ...{ frames, code, socket },
    send(type, payload, more = {}) {
      const id = crypto.randomUUID();
      socket.send(
        JSON.stringify({ id, type, timestamp: new Date().toISOString(), ...(payload && { payload }), ...more }),
      );
      return id;
    },
  };
}

async function register(
  capabilities: object[] = [ROLL, ROLLED],
  more: object = {},
): Promise<Raw & { session: string }> {
  const raw = await connectRaw(await gateway.createToken('dice'));
  raw.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities, ...more });
  await expect.poll(() => raw.frames[0]).toMatchObject({ type: 'register_ack' });
  return { ...raw, session: String(raw.frames[0]?.payload.sessionId) };
}

function call(
  input: object = {},
  more: { signal?: AbortSignal; timeout?: number; onProgress?(text: string): void } = {},
) {
  const work = ask(input, more);
  work.catch(() => undefined);
  return work;
}

async function ask(input: object, more: { signal?: AbortSignal; timeout?: number; onProgress?(text: string): void }) {
  const { signal = new AbortController().signal, timeout = 5000, onProgress = () => undefined } = more;
  const found = gateway.current().find(({ id }) => id === 'dice') ?? last;
  last = found;
  const answer = await found?.call({
    ...{ ...CALL_FACTS, name: 'ext.dice.roll', input: input as never, timeout, signal, onProgress },
  });
  const [content] = answer?.content ?? [];
  const text = content?.kind === 'text' ? content.text : '';
  return answer?.failed ? [answer.code, text] : (JSON.parse(text) as Record<string, unknown>);
}
/** A provider that left can still be called by who has it; the call then fails. */
let last: ExternalProvider | undefined;

const requests = ({ frames }: Raw) => frames.filter(({ type }) => type === 'request');
const offeredBy = (id: string) => {
  const found = gateway.current().find((each) => each.id === id);
  return found?.state().status === 'ready' ? found.capabilities().map(({ name }) => name) : [];
};
const offered = () => offeredBy('dice');

describe('a connection is refused', () => {
  test('without a token, with a wrong one, and with one that was replaced or removed', async () => {
    const old = await gateway.createToken('dice');
    const token = await gateway.createToken('dice');
    await expect(connectRaw('')).rejects.toThrow('401');
    await expect(connectRaw('wrong')).rejects.toThrow('401');
    await expect(connectRaw(old)).rejects.toThrow('401');
    await gateway.removeToken('dice');
    await expect(connectRaw(token)).rejects.toThrow('401');
  });

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { host: 'evil.example' },
    { 'sec-fetch-mode': 'websocket' },
  ])('of a page: %j', async (headers) => {
    const token = await gateway.createToken('dice');
    const { port } = new URL(running.url);
    const status = await new Promise((resolve, reject) => {
      const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      const key = { 'sec-websocket-key': Buffer.alloc(16).toString('base64') };
      const sent = request({
        ...{ port, host: '127.0.0.1' },
        headers: { ...upgrade, ...key, authorization: `Bearer ${token}`, ...headers },
      });
      sent
        .on('response', ({ statusCode }) => resolve(statusCode))
        .on('upgrade', () => resolve(101))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  test('with the token of another provider, another protocol, or nothing for too long', async () => {
    const raw = await connectRaw(await gateway.createToken('other'));
    raw.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities: [] });
    expect(await raw.code).toBe(CLOSE.refused);
    const newer = await connectRaw(await gateway.createToken('dice'));
    newer.send('register', { protocol: '2.0.0', provider: PROVIDER, capabilities: [] });
    expect(await newer.code).toBe(CLOSE.refused);
    const silent = await connectRaw(await gateway.createToken('dice'));
    expect(await silent.code).toBe(CLOSE.late);
    expect(gateway.connections()).toEqual([]);
  });

  test('that is the second one with one token', async () => {
    const token = await gateway.createToken('dice');
    const first = await connectRaw(token);
    first.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities: [ROLL] });
    await expect.poll(offered).toEqual(['ext.dice.roll']);
    const second = await connectRaw(token);
    second.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities: [ROLL] });
    expect(await second.code).toBe(CLOSE.taken);
    // The first one answers that it is there.
    await new Promise((resolve) => setTimeout(resolve, 2 * TIMES.probeWithin));
    expect(offered()).toEqual(['ext.dice.roll']);
  });

  test('that is the second one, until the first one does not answer', async () => {
    const token = await gateway.createToken('dice');
    const first = await connectRaw(token, { autoPong: false });
    first.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities: [ROLL] });
    await expect.poll(offered).toEqual(['ext.dice.roll']);
    const second = await connectRaw(token);
    second.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities: [] });
    expect(await second.code).toBe(CLOSE.taken);
    const refusedAt = performance.now();
    expect(await first.code).toBe(1006);
    expect(performance.now() - refusedAt).toBeLessThan(3000);
    const third = await connectRaw(token);
    third.send('register', {
      protocol: '1.0.0',
      provider: PROVIDER,
      capabilities: [{ ...ROLL, id: 'ext.dice.throw' }],
    });
    await expect.poll(offered).toEqual(['ext.dice.throw']);
  });
});

test('the files hold no token and can be read by this user only', async () => {
  const token = await gateway.createToken('dice');
  for (const name of ['gateway.json', 'provider-tokens.json']) {
    expect(await readFile(join(folder, name), 'utf8')).not.toContain(token);
    if (process.platform !== 'win32') expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  }
  await expect(gateway.createToken('../x')).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
  await expect(gateway.createToken('webgal-agent')).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
});

test('the example over the SDK is called, with progress, and its events arrive', async () => {
  const connection = dice.connect({ url: running.url, token: await gateway.createToken('dice') });
  open.add(connection);
  await connection.ready;
  expect(gateway.connections()).toEqual([{ provider: 'dice', health: 'ready', calls: 0 }]);
  const data = await call({ count: 2, sides: 6, seed: 7 });
  expect(data).toEqual(await dice.run('ext.dice.roll', { count: 2, sides: 6, seed: 7 }));
  await expect
    .poll(() => events[0])
    .toEqual({ provider: 'dice', eventId: 'ext.dice.rolled', data: { sum: (data as { sum: number }).sum } });
  await expect.poll(offered).toEqual(['ext.dice.roll']);
  connection.close();
  await expect.poll(offered).toEqual([]);
});

const CAPABILITY: CallableCapability = {
  ...{ type: 'action', name: 'Roll', description: 'Rolls.', parameters: {}, run: () => ({}) },
  risk: { level: 'low', reason: 'None.' },
};

/** A provider of the test's own: the example is the same object in every test of this worker. */
async function connectOwn(onProblem: (problem: string) => void = () => undefined) {
  const own = createProvider({ ...PROVIDER, capabilities: { roll: CAPABILITY } });
  const connection = own.connect({ url: running.url, token: await gateway.createToken('dice'), onProblem });
  open.add(connection);
  await expect.poll(offered).toEqual(['ext.dice.roll']);
  return { own, connection };
}

function idsOf(provider: Provider): string[] {
  return (provider.describe().capabilities as { id: string }[]).map(({ id }) => id).toSorted();
}

test('what a program removes over the SDK is withdrawn', async () => {
  const { own } = await connectOwn();
  own.set({ throw: CAPABILITY });
  await expect.poll(offered).toEqual(['ext.dice.roll', 'ext.dice.throw']);
  own.remove(['throw']);
  await expect.poll(offered).toEqual(['ext.dice.roll']);
});

describe('a second program with one token over the SDK', () => {
  test('waits for the end of the first one', async () => {
    const token = await gateway.createToken('dice');
    const first = await connectRaw(token);
    first.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities: [ROLL] });
    await expect.poll(offered).toHaveLength(1);
    const own = createProvider({ ...PROVIDER, capabilities: { throw: CAPABILITY } });
    const second = own.connect({ url: running.url, token });
    open.add(second);
    await new Promise((resolve) => setTimeout(resolve, 500));
    first.socket.terminate();
    await second.ready;
    await expect.poll(offered).toEqual(['ext.dice.throw']);
  });

  test('is refused after some attempts', { timeout: 30_000 }, async () => {
    const { own } = await connectOwn();
    const token = await gateway.createToken('dice');
    await expect.poll(offered).toEqual([]);
    const first = await connectRaw(token);
    first.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities: [ROLL] });
    await expect.poll(offered).toHaveLength(1);
    const started = performance.now();
    const second = own.connect({ url: running.url, token });
    await expect(second.ready).rejects.toThrow('refused');
    await second.closed;
    expect(performance.now() - started).toBeGreaterThan(3000);
    expect(offered()).toEqual(['ext.dice.roll']);
  });
});

describe('changes of what is offered', () => {
  test('are followed, and refused as a whole', async () => {
    const raw = await register([ROLL]);
    const added = raw.send('capability_update', { action: 'add', capabilities: [{ ...ROLL, id: 'ext.dice.add' }] });
    await expect.poll(offered).toEqual(['ext.dice.roll', 'ext.dice.add']);
    await expect.poll(() => raw.frames.find(({ correlationId }) => correlationId === added)).toBeDefined();
    for (const update of [
      { action: 'add', capabilities: [ROLL] },
      { action: 'update', capabilities: [{ ...ROLL, id: 'ext.dice.none' }] },
      {
        action: 'add',
        capabilities: [
          { ...ROLL, id: 'ext.dice.more' },
          { ...ROLL, id: 'project.file.delete' },
        ],
      },
      { action: 'remove', ids: ['ext.dice.none'] },
    ]) {
      const id = raw.send('capability_update', update);
      await expect
        .poll(() => raw.frames.find(({ correlationId }) => correlationId === id))
        .toMatchObject({ type: 'error' });
    }
    expect(offered()).toEqual(['ext.dice.roll', 'ext.dice.add']);
  });

  test('that come too often are refused', async () => {
    const raw = await register([ROLL]);
    for (let count = 0; count < 80; count += 1)
      raw.send('capability_update', { action: 'update', capabilities: [ROLL] });
    const errors = () => raw.frames.filter(({ type }) => type === 'error');
    await expect.poll(() => errors().length).toBeGreaterThan(50);
    expect(errors().at(-1)?.payload.error).toMatchObject({ code: 'SYSTEM.RATE_LIMITED' });
    // They were valid: the program stays.
    raw.send('heartbeat');
    await expect.poll(() => raw.frames.at(-1)?.type).toBe('heartbeat_ack');
    expect(offered()).toEqual(['ext.dice.roll']);
  });

  test('over the SDK are sent together, and again when they came too often', { timeout: 60_000 }, async () => {
    const problems: string[] = [];
    const { own, connection } = await connectOwn((problem) => problems.push(problem));
    for (let count = 0; count < 300; count += 1) own.set({ [`n${count}`]: CAPABILITY });
    await expect.poll(offered).toHaveLength(301);
    for (let count = 0; count < 40; count += 1) {
      own.set({ [`m${count}`]: CAPABILITY });
      own.remove([`n${count}`]);
      await new Promise((resolve) => setTimeout(resolve, 110));
    }
    await expect.poll(() => offered().toSorted(), { timeout: 30_000 }).toEqual(idsOf(own));
    expect(idsOf(own)).toHaveLength(301);
    expect([problems, gateway.connections().length]).toEqual([[], 1]);
    connection.close();
  });

  test('over the SDK that are refused are taken back, and the others stay', async () => {
    const problems: string[] = [];
    const { own } = await connectOwn((problem) => problems.push(problem));
    own.set({ roll: { ...CAPABILITY, name: 'Roll again' } });
    await expect.poll(() => gateway.current()[0]?.capabilities()[0]?.title).toBe('Roll again');
    own.set({ roll: { ...CAPABILITY, name: '' }, throw: { ...CAPABILITY, name: '' } });
    await expect.poll(() => problems.length).toBe(2);
    expect(own.describe().capabilities).toMatchObject([{ id: 'ext.dice.roll', name: 'Roll again' }]);
    expect(offered()).toEqual(['ext.dice.roll']);
  });

  test('that the app does not take on are told to the program', async () => {
    const problems: string[] = [];
    await connectOwn((problem) => problems.push(problem));
    gateway.current()[0]?.report?.({ code: 'E_CONFLICT', message: 'Taken.', hint: 'x', recoverable: true });
    await expect.poll(() => problems).toEqual(['Taken.']);
  });

  test('over the SDK reach the app before events of what was just added', async () => {
    const { own } = await connectOwn();
    const { type: _, run: __, parameters: ___, ...described } = CAPABILITY;
    own.set({ rolled: { ...described, type: 'event', returns: {} } });
    own.emit('rolled', { sum: 3 });
    await expect.poll(() => events).toEqual([{ provider: 'dice', eventId: 'ext.dice.rolled', data: { sum: 3 } }]);
  });

  test('in a reserved namespace or with one id twice end the connection', async () => {
    for (const capabilities of [[{ ...ROLL, id: 'system.stop' }], [{ ...ROLL, id: 'ext.other.roll' }], [ROLL, ROLL]]) {
      const raw = await connectRaw(await gateway.createToken('dice'));
      raw.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities });
      expect([CLOSE.refused, CLOSE.taken]).toContain(await raw.code);
      expect(gateway.connections()).toEqual([]);
    }
  });
});

describe('a call', () => {
  test('ends with the code and the words of the provider', async () => {
    const raw = await register();
    const work = call();
    await expect.poll(() => requests(raw).length).toBe(1);
    const error = { code: 'BUSINESS.CONFLICT', message: 'No.', suggestion: 'Later.' };
    raw.send('response', { success: false, error }, { correlationId: requests(raw)[0]?.id });
    expect(await work).toEqual(['BUSINESS.CONFLICT', 'No. Later.']);
  });

  test.each([
    ['too deep', `{"success":true,"data":{"a":${'['.repeat(2_000_000)}`, /deeper than 32/],
    ['too wide', `{"success":true,"data":{"a":[${'1,'.repeat(1_000_000)}1]}}}`, /more than 40000/],
    ['of another form', '{"success":"yes"}}', /payload/],
  ])('whose answer is %s ends at once, and the provider is told', async (_, payload, problem) => {
    const raw = await register();
    const work = call({}, { timeout: 60_000 });
    await expect.poll(() => requests(raw).length).toBe(1);
    const head = `{"id":"a1","timestamp":"${new Date().toISOString()}","type":"response","correlationId":"${requests(raw)[0]?.id}"`;
    raw.socket.send(`${head},"payload":${payload}`);
    await expect(work).rejects.toMatchObject({
      ...{ code: 'E_UNSUPPORTED', reason: 'provider.unreadable' },
      details: { provider: 'dice', said: expect.stringMatching(problem) },
    });
    await expect.poll(() => raw.frames.at(-1)?.type).toBe('error');
    const next = call();
    await expect.poll(() => requests(raw).length).toBe(2);
    raw.send('response', { success: true, data: {} }, { correlationId: requests(raw)[1]?.id });
    expect(await next).toEqual({});
  });

  test('is cancelled by its caller and by its time, and a later reply is ignored', async () => {
    const raw = await register();
    const stopper = new AbortController();
    const stopped = call({}, { signal: stopper.signal });
    const late = call({}, { timeout: 100 });
    await expect.poll(() => requests(raw).length).toBe(2);
    stopper.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'E_TIMEOUT', reason: 'tool.stopped' });
    await expect(late).rejects.toMatchObject({
      ...{ code: 'E_TIMEOUT', reason: 'tool.timeout' },
      hint: expect.stringContaining('Look at what is there'),
    });
    await expect
      .poll(() => raw.frames.filter(({ type }) => type === 'cancel').map(({ payload }) => payload))
      .toEqual([{ reason: 'stopped' }, { reason: 'timeout' }]);
    const next = call();
    await expect.poll(() => requests(raw).length).toBe(3);
    const [first, , third] = requests(raw).map(({ id }) => id);
    raw.send('response', { success: true, data: { of: 'first' } }, { correlationId: first });
    raw.send('response', { success: true, data: { of: 'third' } }, { correlationId: third });
    expect(await next).toEqual({ of: 'third' });
  });

  test('cannot be answered with the id of a request of another provider', async () => {
    const raw = await register();
    const other = await connectRaw(await gateway.createToken('other'));
    other.send('register', { protocol: '1.0.0', provider: { id: 'other', name: 'Other' }, capabilities: [] });
    const work = call();
    await expect.poll(() => requests(raw).length).toBe(1);
    const correlationId = requests(raw)[0]?.id;
    other.send('response', { success: true, data: { forged: true } }, { correlationId });
    raw.send('response', { success: true, data: { forged: true } }, { correlationId: crypto.randomUUID() });
    await new Promise((resolve) => setTimeout(resolve, 100));
    raw.send('response', { success: true, data: { forged: false } }, { correlationId });
    expect(await work).toEqual({ forged: false });
  });

  test('waits for its turn, and is refused when too many wait', async () => {
    const raw = await register();
    const works = Array.from({ length: 80 }, () => call());
    await expect(call()).rejects.toMatchObject({ reason: 'provider.busy' });
    await expect.poll(() => requests(raw).length).toBe(16);
    for (let answered = 0; answered < 80; answered += 1) {
      await expect.poll(() => requests(raw)[answered]).toBeDefined();
      raw.send('response', { success: true, data: {} }, { correlationId: requests(raw)[answered]?.id });
    }
    expect(await Promise.all(works)).toHaveLength(80);
  });

  test('ends when the provider does, and after a restart of it', async () => {
    const raw = await register();
    const work = call();
    await expect.poll(() => requests(raw).length).toBe(1);
    raw.socket.terminate();
    await expect.poll(offered).toEqual([]);
    expect(gateway.connections()).toMatchObject([{ health: 'waiting' }]);
    await expect(work).rejects.toMatchObject({ code: 'E_IO', reason: 'provider.gone' });
    expect(gateway.connections()).toEqual([]);
    await expect(call()).rejects.toMatchObject({ reason: 'provider.away' });
  });

  test.each(['progress', 'event'])(
    'ends when the provider does with much %s unread, and it can come back',
    async (type) => {
      const token = await gateway.createToken('dice');
      const raw = await connectRaw(token);
      const offer = { protocol: '1.0.0', provider: PROVIDER, capabilities: [ROLL, ROLLED] };
      raw.send('register', offer);
      await expect.poll(offered).toHaveLength(1);
      const work = call({}, { timeout: 60_000 });
      await expect.poll(() => requests(raw).length).toBe(1);
      const about = type === 'progress' ? { correlationId: requests(raw)[0]?.id } : {};
      const payload = type === 'progress' ? { fraction: 0.5 } : { eventId: 'ext.dice.rolled', data: {} };
      for (let count = 0; count < 20_000; count += 1) raw.send(type, payload, about);
      await new Promise((resolve) => setTimeout(resolve, 300));
      raw.socket.terminate();
      await expect.poll(offered, { timeout: 3000 }).toEqual([]);
      await expect(work).rejects.toMatchObject({ code: 'E_IO', reason: 'provider.gone' });
      const back = await connectRaw(token);
      back.send('register', offer);
      await expect.poll(offered).toEqual(['ext.dice.roll']);
    },
  );

  test('that the provider lost is ended when it comes back, and the others go on', async () => {
    const token = await gateway.createToken('dice');
    const raw = await connectRaw(token);
    raw.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities: [ROLL] });
    await expect.poll(offered).toHaveLength(1);
    const [kept, lost] = [call({ n: 1 }), call({ n: 2 })];
    await expect.poll(() => requests(raw).length).toBe(2);
    const sessionId = raw.frames[0]?.payload.sessionId;
    const known = requests(raw)[0]?.id;
    raw.socket.terminate();
    await raw.code;
    const back = await connectRaw(token);
    back.send('register', {
      protocol: '1.0.0',
      provider: PROVIDER,
      capabilities: [ROLL],
      resume: { sessionId, running: [known] },
    });
    await expect(lost).rejects.toMatchObject({ reason: 'provider.gone' });
    await expect.poll(() => back.frames[0]).toMatchObject({ payload: { resumed: true } });
    back.send('response', { success: true, data: { n: 1 } }, { correlationId: known });
    expect(await kept).toEqual({ n: 1 });
    expect(requests(back)).toEqual([]);
  });
});

describe('a hostile provider', () => {
  test('that sends a frame of many megabytes, or no text, is ended with its calls', async () => {
    const raw = await register();
    const work = call();
    await expect.poll(() => requests(raw).length).toBe(1);
    raw.send(
      'response',
      { success: true, data: { text: 'x'.repeat(5 * 1024 * 1024) } },
      { correlationId: requests(raw)[0]?.id },
    );
    await expect(work).rejects.toMatchObject({ reason: 'provider.gone' });
    expect(gateway.connections()).toEqual([]);
    const other = await register();
    other.socket.send(Buffer.alloc(10));
    expect(await other.code).toBe(1003);
    await expect.poll(() => gateway.connections()).toEqual([]);
  });

  test('that sends ten thousand events is read slowly, keeps its heartbeat, and its calls are answered', async () => {
    const raw = await register();
    for (let sum = 0; sum < 10_000; sum += 1) raw.send('event', { eventId: 'ext.dice.rolled', data: { sum } });
    await expect.poll(() => events.length).toBeGreaterThan(300);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // 400 at once, then 200 a second, and what one piece of the socket holds.
    expect(events.length).toBeLessThan(2500);
    expect(gateway.connections()).toMatchObject([{ provider: 'dice', health: 'throttled' }]);
    expect(offered()).toHaveLength(1);
  });

  test('that sends nonsense is disconnected after some of it', async () => {
    const raw = await register();
    for (let count = 0; count < 20; count += 1) raw.socket.send('{');
    expect(await raw.code).toBe(CLOSE.refused);
    expect(gateway.connections()).toEqual([]);
    expect(raw.frames.at(-1)).toMatchObject({
      type: 'error',
      payload: { error: { code: 'PROTOCOL.SCHEMA_VALIDATION_FAILED' } },
    });
  });

  test('that registers twice or reports an event that it does not offer gets a sentence', async () => {
    const raw = await register([ROLL]);
    raw.send('register', { protocol: '1.0.0', provider: PROVIDER, capabilities: [] });
    raw.send('event', { eventId: 'ext.dice.rolled', data: {} });
    raw.send('event', { eventId: 'ext.dice.roll', data: {} });
    await expect.poll(() => raw.frames.filter(({ type }) => type === 'error').length).toBe(3);
    expect([events, offered()]).toEqual([[], ['ext.dice.roll']]);
  });

  test('that is silent is slow first and then treated as gone', async () => {
    await running.close();
    await start({ ...TIMES, heartbeatInterval: 200 });
    const raw = await register();
    await expect.poll(() => gateway.connections()[0]?.health).toBe('slow');
    raw.send('heartbeat');
    await expect.poll(() => gateway.connections()[0]?.health).toBe('ready');
    raw.send('heartbeat', { healthy: false, note: 'out of paper' });
    await expect.poll(() => gateway.connections()[0]).toMatchObject({ health: 'slow', note: 'out of paper' });
    await raw.code;
    await expect.poll(() => gateway.connections()).toEqual([]);
  });

  test('whose token is removed is disconnected at once', async () => {
    const raw = await register();
    await gateway.removeToken('dice');
    expect(await raw.code).toBe(CLOSE.off);
    expect([offered(), gateway.connections()]).toEqual([[], []]);
  });
});

test('several providers are independent of each other', async () => {
  const providers = await Promise.all(
    ['a', 'b', 'c'].map(async (id) => {
      const provider = createProvider({
        ...{ id, name: id },
        capabilities: {
          name: {
            ...{ type: 'context', name: 'Name', description: 'Its name.', parameters: {} },
            risk: { level: 'low', reason: 'None.' },
            run: () => ({ id }),
          },
        },
      });
      const connection = provider.connect({ url: running.url, token: await gateway.createToken(id) });
      open.add(connection);
      await connection.ready;
      return { id, connection };
    }),
  );
  const ask = async (id: string) => {
    const found = gateway.current().find((each) => each.id === id);
    const more = { ...CALL_FACTS, timeout: 5000, signal: new AbortController().signal, onProgress: () => undefined };
    return (await found?.call({ name: `ext.${id}.name`, input: {}, ...more }))?.content;
  };
  const answer = (id: string) => [{ kind: 'text', text: JSON.stringify({ id }) }];
  expect(await Promise.all(providers.map(({ id }) => ask(id)))).toEqual(['a', 'b', 'c'].map(answer));
  providers[0]?.connection.close();
  await expect.poll(() => offeredBy('a')).toEqual([]);
  expect(await ask('b')).toEqual(answer('b'));
});
