import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Composed, compose } from '../../main/compose.ts';
import { createWebHost } from '../../main/hosts/web/web-host.ts';
import { provider as dice } from '../../packages/provider-sdk/examples/dice.ts';
import { provider as glossary } from '../../packages/provider-sdk/examples/glossary.ts';
import { type Connection, createProvider } from '../../packages/provider-sdk/src/index.ts';
import type { PendingApproval } from '../../shared/model/capability/approval.ts';
import type { ConnectionsState } from '../../shared/model/capability/capability-methods.ts';
import { CapabilityResponse } from '../../shared/model/capability/capability-response.ts';
import { createProjectFolder, type ProjectFolder } from '../support/games/project-folder.ts';

/** Programs over the gateway, called over the discovery API: the app with its real ports, without a page. */

let game: ProjectFolder;
let home: string;
let composed: Composed;
const open = new Set<Connection>();

const start = async () => {
  const environment = { ...process.env, WEBGAL_AGENT_HOME: home, WEBGAL_AGENT_KEYCHAIN: 'memory' };
  composed = await compose({ host: createWebHost(), resources: join(home, 'none'), environment });
  await composed.openFolder(game.root);
};
beforeEach(async () => {
  game = await createProjectFolder({ 'game/scene/start.txt': ':你好;\n', 'game/config.txt': 'Game_name:测试;\n' });
  home = await mkdtemp(join(tmpdir(), 'gateway-home-'));
  await start();
  const roles = {
    assistant: 'owner',
    mcp: null,
    api: 'owner',
    providers: { dice: 'owner', 'translation-glossary': 'owner' },
  };
  expect(await ask('settings.update', { discoveryApi: true, providerGateway: true, roles })).toEqual({});
});
afterEach(async () => {
  for (const connection of open) connection.close();
  open.clear();
  await composed.dispose();
  await game.dispose();
  await rm(home, { recursive: true, force: true });
});

async function ask<T>(method: string, input: object = {}): Promise<T> {
  const reply = await composed.app.call(method, input);
  if (!reply.ok) throw Object.assign(new Error(reply.error.message), reply.error);
  return reply.value as T;
}

const state = () => ask<ConnectionsState>('connections.state');
const approvals = async () => (await ask<{ approvals: PendingApproval[] }>('approvals.list')).approvals;

async function connect(provider: typeof dice): Promise<Connection> {
  const { token } = await ask<{ token: string }>('connections.createToken', { provider: provider.id });
  await expect.poll(async () => (await state()).gatewayUrl).not.toBeNull();
  const connection = provider.connect({ token, home });
  open.add(connection);
  await connection.ready;
  await expect
    .poll(async () => (await state()).providers.find(({ id }) => id === provider.id)?.offered)
    .toBeGreaterThan(0);
  return connection;
}

/** The discovery API starts by itself once the settings say so. */
async function findApi(): Promise<{ url: string; token: string }> {
  const text = await vi.waitFor(() => readFile(join(home, 'api.json'), 'utf8'), 20_000);
  return JSON.parse(text) as { url: string; token: string };
}

async function request(path: string, body?: object) {
  const { url, token } = await findApi();
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: CapabilityResponse.parse(await response.json()) };
}
const roll = (seed: number) =>
  request('capabilities/ext.dice.roll/call', {
    parameters: { count: 2, sides: 6, seed },
    context: { caller: 'a tool' },
  });

test('a program connects, is listed with its capabilities, and leaves with its connection', async () => {
  const connection = await connect(dice);
  await connect(glossary);
  expect(await state()).toMatchObject({
    providers: [
      { id: 'dice', kind: 'gateway', health: 'ready', offered: 1, problem: null },
      { id: 'translation-glossary', offered: 2 },
    ],
    tokens: [{ provider: 'dice' }, { provider: 'translation-glossary' }],
  });
  const list = (query: object) => ask<{ items: { id: string }[] }>('capabilities.list', query);
  expect((await list({ provider: 'dice' })).items).toMatchObject([{ id: 'ext.dice.roll', type: 'context' }]);
  expect((await list({ words: 'glossary term', type: 'action' })).items).toMatchObject([
    { id: 'ext.translationglossary.add' },
  ]);
  expect((await request('providers')).body.data?.items).toMatchObject([
    { id: 'webgal-agent' },
    { id: 'dice', health: 'ready' },
    {},
  ]);
  connection.close();
  await expect.poll(async () => (await list({ namespace: 'ext.dice' })).items).toEqual([]);
  await ask('connections.removeToken', { provider: 'translation-glossary' });
  await expect.poll(async () => (await state()).providers).toEqual([]);
  // The role goes with the token; those of others stay.
  const { settings } = await ask<{ settings: { roles: { providers: object } } }>('settings.read');
  expect(settings.roles.providers).toEqual({ dice: 'owner' });
  await ask('settings.update', { providerGateway: false });
  await expect.poll(async () => (await state()).gatewayUrl).toBeNull();
});

test('a capability past its sunset is published as deprecated, and refused by name', async () => {
  const old = createProvider({
    id: 'old-tools',
    name: 'Old tools',
    capabilities: {
      paint: {
        ...{ type: 'action', name: 'Paint', description: 'Paints.', parameters: { type: 'object' } },
        risk: { level: 'low', reason: 'None.' },
        deprecated: { since: '1.0.0', removalVersion: '2.0.0', sunset: '2020-06-01', replacement: 'ext.oldtools.draw' },
        run: () => ({ painted: true }),
      },
    },
  });
  await connect(old);
  expect((await request('capabilities/ext.oldtools.paint')).body.data).toMatchObject({
    deprecated: { sunset: '2020-06-01', replacement: 'ext.oldtools.draw' },
  });
  const { body } = await request('capabilities/ext.oldtools.paint/call', { parameters: {} });
  expect(body.error).toMatchObject({ code: 'PROTOCOL.VERSION_MISMATCH', details: { reason: 'tool.sunset' } });
});

test('a program that connects and a service of the user never have one name', async () => {
  await connect(dice);
  const { added } = await ask<{ added: string[] }>('providers.add', {
    text: JSON.stringify({ mcpServers: { dice: { command: 'node', args: ['x.mjs'] } } }),
  });
  expect(added).toHaveLength(1);
  expect(added).not.toContain('dice');
  const other = await ask<{ added: string[] }>('providers.add', {
    text: JSON.stringify({ mcpServers: { painter: { command: 'node', args: ['x.mjs'] } } }),
  });
  expect(other.added).toEqual(['painter']);
  await expect(ask('connections.createToken', { provider: 'painter' })).rejects.toMatchObject({
    ...{ code: 'E_CONFLICT', reason: 'provider.taken' },
  });
});

test('what a program says of its answers is published, within bounds', async () => {
  const long = 'x'.repeat(5000);
  const sides = { type: 'object', properties: { sides: { type: 'integer' } }, required: ['sides'] };
  const told = createProvider({
    id: 'told-tools',
    name: 'Told tools',
    capabilities: {
      throw: {
        ...{ type: 'action', name: 'Throw', description: 'Throws.', parameters: sides },
        risk: { level: 'low', reason: 'None.' },
        returns: {
          ...{ type: 'object', properties: { sum: { type: 'integer', description: 'All\u202e eyes.' } } },
          pattern: '^(a+)+$',
        },
        examples: [
          { name: 'One\u202e throw', parameters: { sides: 6 }, response: { sum: 4, at: '/home/writer/dice.txt' } },
          { name: 'Not of its arguments', parameters: { other: 1 } },
          { name: 'Large', parameters: { sides: 6 }, response: { long } },
        ],
        run: () => ({ sum: 4 }),
      },
    },
  });
  await connect(told);
  const { data } = (await request('capabilities/ext.toldtools.throw')).body;
  const { capability } = await ask<{ capability: typeof data }>('capabilities.read', { id: 'ext.toldtools.throw' });
  for (const manifest of [data, capability]) {
    expect(manifest?.examples).toEqual([
      { name: 'One throw', parameters: { sides: 6 }, response: { sum: 4, at: '…/dice.txt' } },
    ]);
    expect(manifest?.returns).toMatchObject({
      properties: { text: { type: 'string', contentMediaType: 'application/json' }, from: { type: 'string' } },
    });
    expect(manifest).toHaveProperty('returns.properties.text.contentSchema', {
      ...{ type: 'object', properties: { sum: { type: 'integer', description: 'All eyes.' } } },
    });
  }
});

test('a removed service does not come back to a name that is taken by now', async () => {
  const text = JSON.stringify({ mcpServers: { painter: { command: 'node', args: ['x.mjs'] } } });
  await ask('providers.add', { text });
  await ask('providers.setRole', { id: 'painter', role: 'owner' });
  await ask('providers.remove', { id: 'painter' });
  const refused = { code: 'E_CONFLICT', reason: 'provider.nameTaken', details: { provider: 'painter' } };
  await ask('connections.createToken', { provider: 'painter' });
  await expect(ask('providers.restore', { id: 'painter' })).rejects.toMatchObject(refused);
  await ask('connections.removeToken', { provider: 'painter' });

  // Nor does it take the place of a service of this name.
  const other = JSON.stringify({ mcpServers: { painter: { command: 'node', args: ['other.mjs'] } } });
  expect(await ask('providers.add', { text: other })).toMatchObject({ added: ['painter'] });
  await expect(ask('providers.restore', { id: 'painter' })).rejects.toMatchObject(refused);
  const { providers } = await ask<{ providers: { transport: unknown }[] }>('providers.list');
  expect(providers).toMatchObject([{ id: 'painter', role: 'viewer', transport: { args: ['other.mjs'] } }]);

  // What was refused is kept, and comes back once the name is free.
  await ask('providers.add', { text: JSON.stringify({ mcpServers: { y: { command: 'node', args: ['y.mjs'] } } }) });
  await ask('providers.remove', { id: 'y' });
  await ask('connections.createToken', { provider: 'y' });
  await expect(ask('providers.restore', { id: 'y' })).rejects.toMatchObject({ reason: 'provider.nameTaken' });
  await ask('connections.removeToken', { provider: 'y' });
  await ask('providers.restore', { id: 'y' });
  expect((await ask<{ providers: { id: string }[] }>('providers.list')).providers.map(({ id }) => id)).toContain('y');
});

test('a call from outside waits for the user, survives a restart, and its result is there for its caller', async () => {
  await connect(dice);
  const pending = await roll(7);
  expect([pending.status, pending.body.error?.code]).toEqual([202, 'RISK.PENDING_APPROVAL']);
  const id = String(pending.body.error?.details?.approvalId);
  expect((await roll(7)).body.error?.details?.approvalId).toBe(id);
  expect(await approvals()).toMatchObject([
    { id, state: 'waiting', capability: 'ext.dice.roll', caller: { name: 'a tool' } },
  ]);
  for (const connection of open) connection.close();

  await composed.dispose();
  await start();
  await connect(dice);
  expect((await request(`approvals/${id}`)).body.data).toMatchObject({ state: 'waiting' });
  const { approval } = await ask<{ approval: PendingApproval }>('approvals.answer', { id, answer: 'approve' });
  expect(approval).toMatchObject({ state: 'done', error: null });
  const { data } = (await request(`approvals/${id}`)).body;
  const expected = await dice.run('ext.dice.roll', { count: 2, sides: 6, seed: 7 });
  expect(JSON.stringify(data?.result)).toContain(JSON.stringify(expected).replaceAll('"', '\\"'));
  await expect(ask('approvals.answer', { id, answer: 'approve' })).rejects.toMatchObject({
    reason: 'approval.answered',
  });

  const audit = await ask<{
    entries: { kind: string; tool: string; decision: { by: string } | null; reason: string | null }[];
  }>('audit.list', { filter: {}, skip: 0, limit: 10 });
  expect(audit.entries.map(({ kind, tool, reason }) => [kind, tool, reason])).toEqual(
    expect.arrayContaining([
      ['error', 'ext_dice_roll', 'tool.pending'],
      ['approve', 'answer_call', null],
      ['invoke', 'ext_dice_roll', null],
    ]),
  );
});

test('a refused call does not run, and an approved one whose program left runs when it is back', async () => {
  const connection = await connect(dice);
  const first = String((await roll(1)).body.error?.details?.approvalId);
  await ask('approvals.answer', { id: first, answer: 'reject' });
  expect((await request(`approvals/${first}`)).body.data).toMatchObject({ state: 'rejected' });
  const second = String((await roll(2)).body.error?.details?.approvalId);
  connection.close();
  await expect.poll(async () => (await state()).providers).toEqual([]);
  const { approval } = await ask<{ approval: PendingApproval }>('approvals.answer', { id: second, answer: 'approve' });
  expect(approval).toMatchObject({ state: 'approved', error: null });
  await connect(dice);
  await expect.poll(async () => (await request(`approvals/${second}`)).body.data).toMatchObject({ state: 'done' });
});

test('a program is told the version, the kind of its caller and the language, and nothing that someone named', async () => {
  await ask('settings.update', { locale: 'ja' });
  const told: object[] = [];
  const curious = createProvider({
    ...{ id: 'curious', name: 'Curious' },
    capabilities: {
      note: {
        ...{
          type: 'context',
          name: 'Note',
          description: 'Notes who calls.',
          version: '1.4.2',
          parameters: { type: 'object' },
        },
        risk: { level: 'low', reason: 'It only reads.' },
        run(_, { signal: _signal, progress: _progress, requestId: _requestId, ...context }) {
          told.push(context);
          return {};
        },
      },
    },
  });
  const connection = await connect(curious);
  const callWith = async (version: string, context: object) => {
    const { body } = await request('capabilities/ext.curious.note/call', { parameters: {}, version, context });
    const id = String(body.error?.details?.approvalId);
    await ask('approvals.answer', { id, answer: 'approve' });
    return told.at(-1);
  };
  const traceId = crypto.randomUUID();
  const about = { caller: 'client', version: '1.4.2', language: 'ja' };
  expect(await callWith('^1.0.0', { caller: 'Tool of Mina', traceId })).toEqual({ ...about, traceId });
  // A client chooses its trace: what is no id could be a text or a path.
  expect(await callWith('1.0.0', { traceId: game.root, caller: 'x' })).toEqual({ ...about, traceId: null });
  expect((await request('capabilities/ext.curious.note/call', { version: '2.0.0' })).body.error?.code).toBe(
    'PROTOCOL.VERSION_MISMATCH',
  );
  expect(told).toHaveLength(2);
  connection.close();
});

test('events of a program reach who subscribed to them', async () => {
  await connect(dice);
  const { url, token } = await findApi();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const frames: { type: string; payload: object }[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  await new Promise((resolve) => socket.on('open', resolve));
  const payload = { eventId: 'ext.dice.rolled' };
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', timestamp: new Date().toISOString(), payload }));
  await expect.poll(() => frames[0]).toMatchObject({ payload: { success: true } });
  dice.emit('rolled', { text: 'x'.repeat(20_000) });
  dice.emit('rolled', { sum: 7 });
  await expect
    .poll(() => frames[1])
    .toMatchObject({ type: 'event', payload: { eventId: 'ext.dice.rolled', data: { sum: 7 } } });
  socket.close();
});

test('a service may have a name that every object has', async () => {
  const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'];
  const text = JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'none' }])) });
  const { added } = await ask<{ added: string[] }>('providers.add', { text });
  const rows = async () => (await ask<{ providers: { id: string; role: string }[] }>('providers.list')).providers;
  expect((await rows()).map(({ id, role }) => [id, role])).toEqual(added.map((id) => [id, 'viewer']));
  expect(added).toHaveLength(names.length);
  await ask('providers.remove', { id: 'constructor' });
  await ask('providers.restore', { id: 'constructor' });
  expect((await rows()).find(({ id }) => id === 'constructor')?.role).toBe('viewer');
});
