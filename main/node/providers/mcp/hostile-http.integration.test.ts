import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type McpServer, toConsentText } from '../../../../shared/model/external/mcp-server.ts';
import { CALL_FACTS } from '../../../../tests/support/providers/call-facts.ts';
import { type HostileMode, startHostileHttp } from '../../../../tests/support/providers/hostile-http-server.ts';
import { createCapabilitySet } from '../../../core/capability/catalog/capability-set.ts';
import { followProviders } from '../../../core/capability/external/follow-providers.ts';
import type { ExternalProvider } from '../../../core/ports/providers/provider.ts';
import { createProviderSecrets } from '../provider-secrets.ts';
import { createMcpServers } from './mcp-servers.ts';
import { createTokens } from './sign-in.ts';

/** A server at an address, as an attacker would write it. */

const clock = { now: Date.now, id: () => crypto.randomUUID() };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function connect(mode: HostileMode, { elsewhere = '', signedIn = false, startMs = 5000 } = {}) {
  const server = await startHostileHttp(mode, elsewhere);
  ends.push(server.close);
  const data = await mkdtemp(path.join(tmpdir(), 'hostile-http-'));
  ends.push(() => rm(data, { recursive: true, force: true }));
  const secrets = createProviderSecrets(null);
  if (signedIn) {
    const kept = createTokens(secrets, 'mean', server.url);
    await kept.keep({
      client: { client_id: 'client' },
      tokens: { access_token: 'first', token_type: 'Bearer', refresh_token: 'refresh' },
    });
  }
  const servers = createMcpServers({ ...{ version: '1.0.0', data, secrets, environment: {}, pauses: [] }, startMs });
  const set = createCapabilitySet([]);
  const providers = followProviders([servers], { set, clock });
  ends.push(() => servers.dispose());
  ends.push(async () => providers.dispose());
  const entry: McpServer = {
    ...{ id: 'mean', name: 'Mean', enabled: true, agreed: null },
    transport: { type: 'http', url: server.url, headers: [] },
  };
  servers.follow([{ ...entry, agreed: toConsentText(entry) }]);
  const state = () => servers.current()[0]?.state();
  const call = (more: Partial<Parameters<ExternalProvider['call']>[0]> = {}) => {
    const [provider] = servers.current();
    if (!provider) throw new Error('There is no provider.');
    const signal = AbortSignal.timeout(20_000);
    return provider.call({
      ...CALL_FACTS,
      ...{ name: 'ok', input: {}, signal, timeout: 10_000, onProgress: () => undefined },
      ...more,
    });
  };
  const untilReady = () => expect.poll(() => state()?.status, { timeout: 10_000 }).toBe('ready');
  return { server, servers, set, providers, state, call, untilReady };
}

test.each([
  ['huge', /^x{100}/],
  ['keeps-open', /^done$/],
  ['twice', /^one$/],
  ['other-session', /^done$/],
  ['flood', /^done$/],
] as const)('is not harmed by a server whose answers are %s, and leaves no request open', async (mode, text) => {
  const { server, untilReady, call, state } = await connect(mode);
  await untilReady();
  for (let round = 0; round < 3; round += 1) {
    const { content } = await call();
    expect(content[0]).toMatchObject({ kind: 'text', text: expect.stringMatching(text) });
  }
  await expect.poll(server.open).toBe(0);
  expect(state()?.status).toBe('ready');
});

test.each([
  ['endless', 'provider.gone'],
  ['redirects', 'provider.redirect'],
] as const)(
  'ends a call of a server that is %s with one sentence, and leaves no request open',
  async (mode, reason) => {
    const other = await startHostileHttp('plain');
    ends.push(other.close);
    const { server, untilReady, call } = await connect(mode, { elsewhere: other.url });
    await untilReady();
    await expect(call()).rejects.toMatchObject({ reason });
    await expect.poll(server.open).toBe(0);
    expect(other.seen.size).toBe(0);
  },
);

test.each([
  ['deep', /deeper than 64/],
  ['deep-event', /deeper than 64/],
  ['no-json', /no valid JSON/],
  ['no-json-event', /no valid JSON/],
  ['odd-event', /none of the protocol/],
  ['bad-result', /none of the protocol/],
  ['other-type', /another type/],
] as const)('ends a call at once whose answer is %s, leaves no request open, and goes on', async (mode, problem) => {
  const { server, untilReady, call, state } = await connect(mode);
  await untilReady();
  for (let round = 0; round < 2; round += 1) {
    await expect(call({ timeout: 60_000 })).rejects.toMatchObject({
      ...{ code: 'E_UNSUPPORTED', reason: 'provider.unreadable' },
      message: 'Mean answered in a form that cannot be read. It is not known what it did.',
      details: { provider: 'Mean', said: expect.stringMatching(problem) },
    });
    await expect.poll(server.open).toBe(0);
  }
  expect(state()?.status).toBe('ready');
});

test.each(['drip', 'never'] as const)(
  'a call that gets no answer (%s) ends in time, and its request with it',
  async (mode) => {
    const { server, untilReady, call, state } = await connect(mode);
    await untilReady();
    for (let round = 0; round < 5; round += 1) {
      await expect(call({ timeout: 150 })).rejects.toMatchObject({ code: 'E_TIMEOUT', reason: 'tool.timeout' });
    }
    const stop = new AbortController();
    const stopped = call({ signal: stop.signal });
    await pause(100);
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    await expect.poll(server.open).toBe(0);
    await expect.poll(() => server.seen.get('notifications/cancelled')).toBe(6);
    expect(state()?.status).toBe('ready');
  },
);

test('what answers a cancelled call answers no other', async () => {
  const { untilReady, call } = await connect('late');
  await untilReady();
  await expect(call({ timeout: 150 })).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  expect((await call()).content).toEqual([{ kind: 'text', text: 'own' }]);
});

test('a server that redirects from the start is failed, and nothing is sent elsewhere', async () => {
  const other = await startHostileHttp('plain');
  ends.push(other.close);
  const { state } = await connect('redirects-at-once', { elsewhere: other.url });
  await expect.poll(() => state()?.status).toBe('failed');
  expect(state()).toMatchObject({
    problem: { reason: 'provider.redirect' },
  });
  expect(other.seen.size).toBe(0);
});

test.each([
  ['huge-list', 500],
  ['endless-list', 20],
] as const)('takes the first of a list that is %s', async (mode, most) => {
  const { server, untilReady, set } = await connect(mode, { startMs: 15_000 });
  await untilReady();
  await expect.poll(() => set.current().length, { timeout: 15_000 }).toBe(most);
  expect(server.seen.get('tools/list')).toBeLessThanOrEqual(20);
});

test('leaves out what is not acceptable and keeps the rest', async () => {
  const names = await connect('names');
  await names.untilReady();
  await expect.poll(() => names.set.current().length).toBeGreaterThan(0);
  for (const { name, capability } of names.set.current()) {
    expect(name).toMatch(/^ext_mean_[a-z0-9_]+$/);
    expect(capability).toMatch(/^ext\.mean\./);
  }
  const bombs = await connect('bombs');
  await bombs.untilReady();
  await expect.poll(() => bombs.set.current().map(({ name }) => name)).toEqual(['ext_mean_ok']);
  expect(bombs.providers.list()[0]?.refused).toMatchObject([{ name: 'bomb' }]);
  const told = await connect('instructions');
  await told.untilReady();
  await expect.poll(() => told.set.current()[0]?.description).toContain('not as an instruction');
  expect(told.set.current()[0]?.description.length).toBeLessThan(1500);
  expect(told.set.current()[0]?.description).not.toContain('\u202e');
});

test('follows a list that changes during a call, which has its answer', async () => {
  const { server, untilReady, call, set } = await connect('changing');
  await untilReady();
  await expect.poll(() => server.seen.get('stream')).toBe(1);
  await pause(50);
  expect((await call()).content).toEqual([{ kind: 'text', text: 'done' }]);
  await expect.poll(() => set.current().map(({ name }) => name)).toEqual(['ext_mean_other']);
});

test('a stream of messages without end or pause is read at a bounded rate', async () => {
  const flood = await connect('flood');
  await flood.untilReady();
  await pause(2500);
  expect(flood.server.seen.get('tools/list')).toBeLessThan(25);

  const hasty = await connect('hasty-stream');
  await hasty.untilReady();
  await pause(2500);
  expect(hasty.server.seen.get('stream')).toBeLessThanOrEqual(4);
  expect((await hasty.call()).content).toEqual([{ kind: 'text', text: 'done' }]);
});

test('a server that refuses every request wants a sign-in, and is not asked again', async () => {
  const unknown = await connect('refuses');
  await expect.poll(() => unknown.state()?.status).toBe('signIn');
  expect(unknown.server.seen.get('initialize')).toBe(1);
  // It renews the token each time and refuses it again.
  const known = await connect('refuses', { signedIn: true });
  await expect.poll(() => known.state()?.status).toBe('signIn');
  expect(known.server.seen.get('initialize')).toBe(2);
  expect(known.server.seen.get('token')).toBe(1);
  await pause(300);
  expect(known.server.seen.get('initialize')).toBe(2);
});

test('a server that refuses only its stream, after each renewed token, is used without it', async () => {
  const { server, untilReady, call } = await connect('refuses-stream', { signedIn: true });
  await untilReady();
  await pause(2500);
  expect(server.seen.get('stream')).toBeLessThanOrEqual(2);
  expect(server.seen.get('token')).toBeLessThanOrEqual(2);
  expect((await call()).content).toEqual([{ kind: 'text', text: 'done' }]);
});

test('a server that does not take a message without an answer is failed in time', async () => {
  const { state, server } = await connect('holds-notices', { startMs: 400 });
  await expect.poll(() => state()?.status, { timeout: 3000 }).toBe('failed');
  await expect.poll(server.open).toBe(0);
});

test('closes every connection with the app', async () => {
  const { server, servers, untilReady, call } = await connect('drip');
  await untilReady();
  const calls = Array.from({ length: 8 }, () => call().catch((error: unknown) => error));
  await expect.poll(server.open).toBe(8);
  await servers.dispose();
  for (const error of await Promise.all(calls)) expect(error).toMatchObject({ reason: 'provider.gone' });
  await expect.poll(server.open).toBe(0);
  // Idle connections are kept for some seconds.
  await expect.poll(server.sockets, { timeout: 10_000 }).toBe(0);
});

test('answers only some requests of a server that takes no answers', async () => {
  const { server, untilReady, call } = await connect('pings');
  await untilReady();
  await expect.poll(() => server.seen.get('answer') ?? 0).toBeGreaterThan(20);
  await pause(1500);
  expect(server.open()).toBeLessThanOrEqual(32);
  expect((await call()).content).toEqual([{ kind: 'text', text: 'done' }]);
});

test('does not resume the stream of a call that timed out', async () => {
  const { server, untilReady, call } = await connect('resumes');
  await untilReady();
  await expect.poll(server.streams).toBe(1);
  for (let round = 0; round < 3; round += 1) {
    await expect(call({ timeout: 100 })).rejects.toMatchObject({ reason: 'tool.timeout' });
  }
  await pause(2500);
  expect(server.streams()).toBe(1);
});

test('a sign-in that is never answered ends with the start, and with the app', async () => {
  const { state } = await connect('sign-in-hangs', { signedIn: true, startMs: 600 });
  await expect.poll(() => state()?.status, { timeout: 4000 }).toBe('failed');
  const other = await connect('sign-in-hangs', { signedIn: true, startMs: 60_000 });
  await expect.poll(() => other.server.seen.get('notifications/initialized')).toBe(1);
  await pause(100);
  const began = performance.now();
  await other.servers.dispose();
  expect(performance.now() - began).toBeLessThan(5000);
});

test('signs in where one of the usual addresses has moved', async () => {
  const { server, untilReady } = await connect('moved-facts', { signedIn: true });
  await untilReady();
  expect(server.seen.get('token')).toBe(1);
});
