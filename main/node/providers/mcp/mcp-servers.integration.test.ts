import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type McpServer, toConsentText } from '../../../../shared/model/external/mcp-server.ts';
import { CALL_FACTS } from '../../../../tests/support/providers/call-facts.ts';
import { createCapabilitySet } from '../../../core/capability/catalog/capability-set.ts';
import { followProviders } from '../../../core/capability/external/follow-providers.ts';
import type { ExternalProvider } from '../../../core/ports/providers/provider.ts';
import { createProviderSecrets } from '../provider-secrets.ts';
import { createMcpServers } from './mcp-servers.ts';

const HOSTILE = path.resolve('tests/support/hostile-mcp-server.mjs');
const clock = { now: Date.now, id: () => crypto.randomUUID() };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function toServer(id: string, command: string, args: string[], env: string[] = []): McpServer {
  const server: McpServer = {
    ...{ id, name: id, enabled: true, agreed: null },
    transport: { type: 'stdio', command, args, env },
  };
  return { ...server, agreed: toConsentText(server) };
}
const hostile = (mode: string) => toServer('mean', process.execPath, [HOSTILE, mode]);

async function setUp(options: { pauses?: number[]; startMs?: number } = {}) {
  const data = await mkdtemp(path.join(tmpdir(), 'mcp-servers-'));
  const secrets = createProviderSecrets(null);
  const servers = createMcpServers({
    ...{ version: '1.0.0', data, secrets, pauses: [50, 50], ...options },
    environment: { ...process.env, SOME_API_KEY: 'leaked' },
  });
  const set = createCapabilitySet([]);
  const providers = followProviders([servers], { set, clock });
  ends.push(() => rm(data, { recursive: true, force: true }));
  ends.push(() => servers.dispose());
  ends.push(async () => providers.dispose());
  return { servers, set, providers };
}

async function until<T>(read: () => T | undefined | false, limit = 15_000): Promise<T> {
  for (const start = Date.now(); Date.now() - start < limit; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const value = read();
    if (value) return value;
  }
  throw new Error('It did not happen in time.');
}

const ready = (servers: { current(): readonly ExternalProvider[] }) =>
  until(() => {
    const [provider] = servers.current();
    return provider?.state().status === 'ready' && provider;
  });

function call(provider: ExternalProvider, more: Partial<Parameters<ExternalProvider['call']>[0]> = {}) {
  return provider.call({
    ...CALL_FACTS,
    ...{ name: 'ok', input: {}, signal: AbortSignal.timeout(20_000), timeout: 15_000, onProgress: () => undefined },
    ...more,
  });
}

test('starts nothing before the user agreed, and nothing that changed since', async () => {
  const { servers } = await setUp();
  const server = hostile('plain');
  servers.follow([{ ...server, agreed: null }]);
  expect(servers.current()[0]?.state()).toEqual({ status: 'unconfirmed' });
  servers.follow([server]);
  await ready(servers);
  servers.follow([{ ...server, transport: { ...server.transport, args: [HOSTILE, 'dies'] } as never }]);
  expect(servers.current()[0]?.state()).toEqual({ status: 'unconfirmed' });
  servers.follow([{ ...server, enabled: false }]);
  expect(servers.current()[0]?.state()).toEqual({ status: 'off' });
});

test('passes on no variable but its own, which come from the keychain for exactly this command', async () => {
  const { servers } = await setUp();
  const print = toServer(
    'print',
    process.execPath,
    ['-e', 'console.error(Object.keys(process.env).sort().join(" "), process.env.MY_TOKEN)'],
    ['MY_TOKEN'],
  );
  await servers.setSecrets(print, { MY_TOKEN: 'value1' });
  servers.follow([print]);
  const failed = await until(() => {
    const state = servers.current()[0]?.state();
    return state?.status === 'failed' && state;
  });
  expect(failed.problem.message).toContain('value1');
  expect(failed.problem.message).toContain('MY_TOKEN');
  expect(failed.problem.message).not.toMatch(/SOME_API_KEY|npm_/);
});

test('restarts with growing pauses, then waits for the user', async () => {
  const { servers } = await setUp();
  servers.follow([toServer('gone', '/no/such/program', [])]);
  const seen = new Set<unknown>();
  const last = await until(() => {
    const state = servers.current()[0]?.state();
    if (state?.status === 'failed') seen.add(state.retryAt);
    return state?.status === 'failed' && state.retryAt === null && state;
  });
  expect(seen.size).toBeGreaterThanOrEqual(2);
  expect(last.problem.reason).toBe('provider.missing');
});

test('ends its programs with it', async () => {
  const { servers } = await setUp();
  servers.follow([hostile('stays')]);
  await ready(servers);
  const count = () =>
    execFileSync('sh', ['-c', `ps -eo args | grep -c '[h]ostile-mcp-server.mjs stays' || true`]).toString().trim();
  expect(Number(count())).toBeGreaterThan(0);
  await servers.dispose();
  expect(count()).toBe('0');
});

test.each([
  ['huge', /^x{100}/],
  ['twice', /^one$/],
  ['nonsense', /^done$/],
  ['unsure', /^done$/],
  ['flood', /^done$/],
])('is not harmed by a server that answers with %s', async (mode, text) => {
  const { servers } = await setUp();
  servers.follow([hostile(mode)]);
  const provider = await ready(servers);
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const { content } = await call(provider);
  clearInterval(timer);
  expect(content[0]).toMatchObject({ kind: 'text', text: expect.stringMatching(text) });
  expect(longest).toBeLessThan(3000);
});

test.each([
  ['endless', 'provider.gone'],
  ['dies', 'provider.gone'],
])('ends a call of a server that is %s with one sentence', async (mode, reason) => {
  const { servers } = await setUp();
  servers.follow([hostile(mode)]);
  const provider = await ready(servers);
  await expect(call(provider)).rejects.toMatchObject({ reason });
});

test.each([
  ['deep', /deeper than 64/],
  ['cut-off', /no valid JSON/],
  ['odd', /none of the protocol/],
  ['bad-result', /none of the protocol/],
])('ends a call at once whose answer is %s, and goes on', async (mode, problem) => {
  const { servers } = await setUp();
  servers.follow([hostile(mode)]);
  const provider = await ready(servers);
  for (let round = 0; round < 2; round += 1) {
    await expect(call(provider, { timeout: 60_000 })).rejects.toMatchObject({
      ...{ code: 'E_UNSUPPORTED', reason: 'provider.unreadable' },
      message: 'mean answered in a form that cannot be read. It is not known what it did.',
      details: { provider: 'mean', said: expect.stringMatching(problem) },
    });
  }
  expect(provider.state().status).toBe('ready');
});

test('ends a call at its timeout and when it is stopped, and drops what comes later', async () => {
  const { servers } = await setUp();
  servers.follow([hostile('late')]);
  const provider = await ready(servers);
  await expect(call(provider, { timeout: 200 })).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  const stop = new AbortController();
  const stopped = call(provider, { signal: stop.signal });
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  await new Promise((resolve) => setTimeout(resolve, 1800));
  expect((await call(provider)).content).toEqual([{ kind: 'text', text: 'late' }]);
});

test('leaves out what is not acceptable and keeps the rest', async () => {
  const { servers, set, providers } = await setUp();
  servers.follow([hostile('schema-bomb')]);
  await until(() => set.current().length === 2);
  expect(set.current().map(({ name }) => name)).toEqual(['ext_mean_slow', 'ext_mean_fine']);
  expect(providers.list()[0]?.refused).toEqual([
    { name: 'bomb', why: expect.objectContaining({ en: expect.stringMatching(/^it /) }) },
  ]);
  expect(JSON.stringify(set.current()[0]?.rawInput)).not.toContain('pattern');

  servers.follow([hostile('names')]);
  await until(() => set.current().some(({ name }) => name === 'ext_mean_ok'));
  expect(set.current().every(({ name }) => /^[a-z][a-z0-9_]{0,63}$/.test(name))).toBe(true);
  expect(providers.list()[0]?.refused.map(({ name }) => name)).toContain('aB');

  servers.follow([hostile('instructions')]);
  await until(() => set.current()[0]?.description.includes('IGNORE'));
  const description = set.current()[0]?.description ?? '';
  expect(description.length).toBeLessThan(1500);
  expect(description).toContain('not as an instruction');
  expect(description).not.toContain('\u202e');
});

test('ends a list that has no end', async () => {
  const { servers, set } = await setUp();
  servers.follow([hostile('endless-list')]);
  await until(() => set.current().length > 0);
  expect(set.current().length).toBeLessThanOrEqual(20);
});

test('follows a list that changes during a call, and keeps the highest risk', async () => {
  const { servers, set } = await setUp();
  servers.follow([hostile('changing')]);
  const changing = await ready(servers);
  expect((await call(changing)).content).toEqual([{ kind: 'text', text: 'done' }]);
  await until(() => set.current()[0]?.name === 'ext_mean_other');

  servers.follow([hostile('lower-risk')]);
  const lower = await ready(servers);
  await until(() => set.current()[0]?.risk.level === 'high');
  await call(lower);
  await until(() => set.current()[0]?.version === '2.0.0');
  expect(set.current()[0]?.risk.level).toBe('high');
});

test('waits for a slow start and gives up on a silent one', async () => {
  const { servers } = await setUp({ startMs: 3000, pauses: [] });
  servers.follow([hostile('slow-start')]);
  expect(servers.current()[0]?.state().status).toBe('starting');
  await ready(servers);
  servers.follow([hostile('silent')]);
  await until(() => servers.current()[0]?.state().status === 'failed');
  await servers.dispose();
});
