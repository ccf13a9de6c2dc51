import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Composed, compose } from '../../main/compose.ts';
import { createWebHost } from '../../main/hosts/web/web-host.ts';
import { CapabilityResponse } from '../../shared/model/capability/capability-response.ts';
import { createProjectFolder, type ProjectFolder } from '../support/games/project-folder.ts';

/** The discovery API over real connections: the app with its real ports, without a page. */

const START = 'game/scene/start.txt';
let game: ProjectFolder;
let home: string;
let composed: Composed;

beforeEach(async () => {
  game = await createProjectFolder({ [START]: ':你好;\n', 'game/config.txt': 'Game_name:测试;\n' });
  home = await mkdtemp(join(tmpdir(), 'api-home-'));
  const environment = { ...process.env, WEBGAL_AGENT_HOME: home, WEBGAL_AGENT_KEYCHAIN: 'memory' };
  composed = await compose({ host: createWebHost(), resources: join(home, 'none'), environment });
});
afterEach(async () => {
  await composed.dispose();
  await game.dispose();
  await rm(home, { recursive: true, force: true });
});

const file = () => join(home, 'api.json');
const toIds = (items: unknown) => (items as { id: string }[]).map(({ id }) => id);
const update = (settings: object) => composed.app.call('settings.update', settings);

async function open(role: 'viewer' | 'writer' | 'owner' = 'viewer') {
  await composed.openFolder(game.root);
  const roles = { assistant: 'owner', mcp: null, api: role, providers: {} };
  expect(await update({ discoveryApi: true, roles })).toMatchObject({ ok: true });
  await expect.poll(() => readFile(file(), 'utf8').catch(() => null)).not.toBeNull();
  const { url, token } = JSON.parse(await readFile(file(), 'utf8')) as { url: string; token: string };
  const ask = async (path: string, { body, headers }: { body?: unknown; headers?: Record<string, string> } = {}) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
  const call = async (id: string, parameters: object, more: object = {}) => {
    const reply = await ask(`capabilities/${id}/call`, { body: { parameters, ...more } });
    return { status: reply.status, body: CapabilityResponse.parse(reply.body) };
  };
  return { url, token, ask, call };
}

test('is off by default, can be read by this user only, and leaves nothing when it is switched off', async () => {
  await composed.openFolder(game.root);
  await expect(stat(file())).rejects.toThrow();
  const { url } = await open();
  if (process.platform !== 'win32') expect((await stat(file())).mode & 0o777).toBe(0o600);
  await update({ discoveryApi: false });
  await expect.poll(() => stat(file()).catch(() => null)).toBeNull();
  await expect(fetch(url)).rejects.toThrow();
});

test('refuses other hosts, web pages and calls without the token', async () => {
  const { url, ask } = await open();
  expect((await fetch(`${url}/api/v1/capabilities`)).status).toBe(401);
  expect((await ask('capabilities', { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  expect((await ask('capabilities', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await ask('capabilities/x/call', { body: '{"parameters":' })).status).toBe(400);
  expect((await ask('nothing')).status).toBe(404);
});

test.each([
  ['deep', `{"parameters":{"path":${'['.repeat(2_000_000)}`, 'nested deeper than 32 levels'],
  [
    'wide',
    JSON.stringify({ parameters: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, n])) }),
    'members',
  ],
  ['no JSON', '{"parameters":', 'no valid JSON'],
])('refuses a body that is %s before it is parsed, in the shape of every answer', async (_, body, problem) => {
  const { ask } = await open();
  const { status, body: answer } = await ask('capabilities/project.file.read/call', { body });
  expect(status).toBe(400);
  const { success, error } = CapabilityResponse.partial({ metadata: true }).parse(answer);
  expect([success, error?.code]).toEqual([false, 'PROTOCOL.INVALID_REQUEST']);
  expect(error?.message).toContain(problem);
});

test('a refused caller is answered in the shape of every answer', async () => {
  const { ask } = await open();
  const { body } = await ask('capabilities', { headers: { authorization: 'Bearer x' } });
  expect(CapabilityResponse.parse(body).error).toMatchObject({
    code: 'AUTH.TOKEN_INVALID',
    documentation: expect.stringContaining('#auth-token-invalid'),
  });
});

test('a greeting without the token is answered with a proof of it, and nothing else is signed', async () => {
  const { url, token } = await open();
  const challenge = 'c'.repeat(43);
  const greet = async (query: string, init?: RequestInit) => {
    const response = await fetch(`${url}/api/v1/greeting${query}`, init);
    return [response.status, ((await response.json()) as { proof?: string }).proof];
  };
  const signed = `WebGAL Agent discovery API, greeting 1\n${new URL(url).port}\n${challenge}`;
  const proof = createHmac('sha256', token).update(signed).digest('base64url');
  expect(await greet(`?challenge=${challenge}`)).toEqual([200, proof]);
  for (const other of ['', `${challenge}c`, challenge.slice(1), `${challenge.slice(1)}%0a`, `${challenge.slice(1)}.`]) {
    expect(await greet(`?challenge=${other}`)).toEqual([401, undefined]);
  }
  expect(await greet('')).toEqual([401, undefined]);
  expect(await greet(`?challenge=${challenge}`, { method: 'POST' })).toEqual([401, undefined]);
  const headers = { origin: 'https://evil.example' };
  expect(await greet(`?challenge=${challenge}`, { headers })).toEqual([403, undefined]);
  const host = `GET /api/v1/greeting?challenge=${challenge} HTTP/1.1\r\nHost: evil.example\r\n\r\n`;
  expect(await sendRaw(url, host)).toMatch(/^HTTP\/1.1 403/);
});

/** Sends bytes to the API, waits for the first answer and breaks the connection off. */
function sendRaw(url: string, ...parts: (string | Buffer)[]): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(parts[0] ?? ''));
    socket.once('data', (data) => {
      for (const part of parts.slice(1)) socket.write(part);
      setTimeout(() => {
        socket.resetAndDestroy();
        resolve(data.toString());
      }, 50);
    });
    socket.on('error', reject);
  });
}

test('outlives connections that break, addresses that are none, and frames that are none', async () => {
  const { url, token, ask } = await open();
  const upgrade = (path: string, key = token) =>
    [
      ...[`GET ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, `Authorization: Bearer ${key}`],
      ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''],
    ].join('\r\n');
  expect(await sendRaw(url, upgrade('//'))).toMatch(/^HTTP\/1.1 400/);
  expect(await sendRaw(url, upgrade('/api/v1/events', 'x'), 'more')).toMatch(/^HTTP\/1.1 401/);
  // An endpoint that there is not, and a frame with reserved bits.
  expect(await sendRaw(url, upgrade('/none'), Buffer.from([0xf1, 0x00]))).toMatch(/^HTTP\/1.1 101/);
  expect((await ask('capabilities')).status).toBe(200);
});

test('lists, searches and describes capabilities and providers', async () => {
  const { ask } = await open();
  const list = CapabilityResponse.parse(
    (await ask('capabilities?namespace=project.file&type=context&pageSize=2')).body,
  );
  expect([toIds(list.data?.items), list.pagination]).toEqual([
    ['project.file.find', 'project.file.grep'],
    { total: 5, page: 1, pageSize: 2, hasNext: true, hasPrevious: false },
  ]);
  const ids = async (query: string) =>
    ((await ask(`capabilities?${query}`)).body as never as CapabilityResponse).data?.items;
  expect(await ids('q=remove+text+file')).toMatchObject([{ id: 'project.file.delete' }]);
  expect(await ids('type=event&tag=proposal')).toMatchObject([
    { id: 'agent.proposal.decided' },
    { id: 'agent.proposal.opened' },
  ]);
  expect(await ids('risk=critical')).toEqual([]);
  expect((await ask('capabilities?risk=cosmic')).status).toBe(400);
  expect((await ask('capabilities/project.file.read')).body).toMatchObject({
    data: { id: 'project.file.read', type: 'context' },
  });
  expect((await ask('capabilities/project.file.fly')).status).toBe(404);
  expect((await ask('providers')).body).toMatchObject({ data: { items: [{ id: 'webgal-agent', health: 'ready' }] } });
  expect((await ask('providers/webgal-agent/capabilities')).status).toBe(200);
  expect((await ask('providers/none/capabilities')).status).toBe(404);
  expect((await ask('health')).body).toMatchObject({ data: { game: true } });
  expect((await ask('openapi.json')).body).toMatchObject({ openapi: '3.1.0' });
});

describe('a call', () => {
  test('runs, with the version that was asked for, and is in the audit log with its caller', async () => {
    const { call } = await open();
    const read = await call(
      'project.file.read',
      { path: START },
      { version: '^1.0.0', context: { caller: 'my tool' } },
    );
    expect(read).toMatchObject({ status: 200, body: { success: true, data: { content: ':你好;\n' } } });
    expect((await call('project.file.read', { path: START }, { version: '^9.0.0' })).body.error?.code).toBe(
      'PROTOCOL.VERSION_MISMATCH',
    );
    const page = (await composed.app.call('audit.list', { filter: {}, skip: 0, limit: 10 })) as never as {
      value: { entries: { caller: object; version: string; kind: string }[] };
    };
    expect(page.value.entries.at(-1)).toMatchObject({ kind: 'settings' });
    expect(page.value.entries[1]).toMatchObject({
      kind: 'invoke',
      caller: { type: 'client', id: 'api', name: 'my tool', role: 'viewer' },
    });
  });

  test('is in the audit log under the id of its caller, but not under words, which could be text of the game', async () => {
    const { call } = await open();
    for (const traceId of ['run-7', 'The rain has stopped.'])
      await call('project.file.read', { path: START }, { context: { traceId } });
    const { value } = (await composed.app.call('audit.list', { filter: {}, skip: 0, limit: 10 })) as never as {
      value: { entries: { trace: string; kind: string }[] };
    };
    const traces = value.entries.filter(({ kind }) => kind === 'invoke').map(({ trace }) => trace);
    expect(traces).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), 'run-7']);
    expect(JSON.stringify(value)).not.toContain('rain');
  });

  test.each([
    ['project.file.write', { path: START, content: 'x', dryRun: false }, 403, 'PERMISSION.ROLE_REQUIRED'],
    ['project.file.read', { path: '../secret' }, 400, 'BUSINESS.INVALID_PATH'],
    ['project.file.read', { path: START, extra: 1 }, 400, 'PROTOCOL.SCHEMA_VALIDATION_FAILED'],
    ['project.file.read', { path: 'game/none.txt' }, 404, 'BUSINESS.FILE_NOT_FOUND'],
    ['project.file.fly', {}, 404, 'PROTOCOL.CAPABILITY_NOT_FOUND'],
    ['project.file.changed', {}, 400, 'PROTOCOL.UNSUPPORTED_TYPE'],
    ['agent.plan.propose', {}, 404, 'PROTOCOL.CAPABILITY_NOT_FOUND'],
  ])('of %s with %j is refused with %i', async (id, parameters, status, code) => {
    const { call } = await open();
    const reply = await call(id, parameters);
    expect([reply.status, reply.body.error?.code]).toEqual([status, code]);
  });

  test('of a write waits in a proposal', async () => {
    const { call } = await open('writer');
    await call('project.file.read', { path: START });
    const reply = await call('project.file.write', { path: START, content: ':再见;\n', dryRun: false });
    expect(reply.body).toMatchObject({ success: true, data: { applied: false, drafted: true } });
    expect(await readFile(join(game.root, START), 'utf8')).toBe(':你好;\n');
    const current = (await composed.app.call('proposal.current', {})) as never as {
      value: { proposal: { files: object[] } };
    };
    expect(current.value.proposal.files).toMatchObject([{ path: START }]);
    const second = await call('project.file.write', { path: 'game/scene/b.txt', content: 'x', dryRun: false });
    expect([second.status, second.body.error?.code]).toEqual([409, 'BUSINESS.CONFLICT']);
  });

  test('while no game is open is refused', async () => {
    const { call } = await open();
    await composed.app.call('project.close', {});
    expect(await call('project.file.read', { path: START })).toMatchObject({ status: 503 });
  });
});

test('a WebSocket subscribes, calls, and hears what happens', async () => {
  const { url, token } = await open('writer');
  const address = `${url.replace('http', 'ws')}/api/v1/events`;
  const refused = new WebSocket(address);
  await new Promise((resolve) => refused.on('error', resolve));
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  const frames: { type: string; correlationId: string; payload: Record<string, never> }[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  await new Promise((resolve) => socket.on('open', resolve));
  const send = (id: string, type: string, payload: object) =>
    socket.send(JSON.stringify({ id, type, timestamp: new Date().toISOString(), payload }));
  const frame = (id: string) =>
    expect.poll(() => frames.find(({ correlationId }) => correlationId === id), { timeout: 5000 });

  send('1', 'subscribe', { eventId: 'agent.proposal.opened' });
  await frame('1').toMatchObject({ type: 'response', payload: { success: true } });
  const subscription = String(frames[0]?.payload.subscription);
  send('2', 'request', {
    capabilityId: 'project.file.write',
    parameters: { path: 'game/scene/b.txt', content: ':x;\n', dryRun: false },
  });
  await frame('2').toMatchObject({ type: 'response', payload: { success: true } });
  await frame(subscription).toMatchObject({
    type: 'event',
    payload: { eventId: 'agent.proposal.opened', data: { author: 'user', files: 1 }, lost: 0 },
  });
  send('3', 'unsubscribe', { subscription });
  await frame('3').toMatchObject({ type: 'response' });
  send('4', 'subscribe', { eventId: 'no.such.event' });
  await frame('4').toMatchObject({ type: 'error', payload: { error: { code: 'PROTOCOL.CAPABILITY_NOT_FOUND' } } });
  socket.send('{');
  await frame('').toMatchObject({ type: 'error' });
  socket.close();
});
