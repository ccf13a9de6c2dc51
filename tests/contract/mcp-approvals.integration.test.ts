import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Composed, compose } from '../../main/compose.ts';
import { createWebHost } from '../../main/hosts/web/web-host.ts';
import type { PendingApproval } from '../../shared/model/capability/approval.ts';
import {
  connectClient,
  createMcpProject,
  type McpProjectFolder,
  type RawMcp,
  startRaw,
} from '../support/mcp-process.ts';

/** Calls of MCP clients that cannot ask their user: the real program with the official client, and the app with the same game. */

const SCENE = 'game/scene/start.txt';
const TIMEOUT_MS = 90_000;

let game: McpProjectFolder;
let client: Client;
let composed: Composed | null;
let raw: RawMcp | null;

beforeEach(async () => {
  game = await createMcpProject({
    [SCENE]: ':你好;\n',
    'game/config.txt': 'Game_name:海边;\n',
    '.webgal_agent/policy.json': JSON.stringify({
      policies: { tools: { read_file: 'ask', write_to_file: 'ask', replace_in_file: 'ask' } },
    }),
  });
  [composed, raw] = [null, null];
  client = await connectClient(game);
}, TIMEOUT_MS);
afterEach(async () => {
  await client.close();
  raw?.child.kill('SIGKILL');
  await raw?.exited;
  await composed?.dispose();
  await game.dispose();
});

async function openApp(): Promise<void> {
  const environment = { ...game.environment, WEBGAL_AGENT_KEYCHAIN: 'memory' };
  const resources = join(await mkdtemp(join(tmpdir(), 'none-')), 'none');
  composed = await compose({ host: createWebHost(), resources, environment });
  await composed.openFolder(game.root);
  await rm(join(resources, '..'), { recursive: true });
}

async function ask<T>(method: string, input: object = {}): Promise<T> {
  const reply = await composed?.app.call(method, input);
  if (!reply?.ok) throw Object.assign(new Error(reply?.error.message), reply?.error);
  return reply.value as T;
}

/** Makes the call that the game's rules ask about. Returns the id under which it waits. */
async function callAndWait(path = SCENE): Promise<string> {
  const result = await client.callTool({ name: 'read_file', arguments: { path } });
  const [{ text }] = result.content as [{ text: string }];
  const { error } = JSON.parse(text) as { error: { hint: string; details: { approvalId: string } } };
  expect(result.isError).toBe(true);
  expect(error.hint).toContain(`webgal://approvals/${error.details.approvalId}`);
  return error.details.approvalId;
}

async function read(uri: string) {
  const { contents } = await client.readResource({ uri });
  return JSON.parse((contents[0] as { text: string }).text);
}

test(
  'a call waits, is answered once in the app, and its caller hears the outcome',
  async () => {
    const updated: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
    const id = await callAndWait();
    expect(await callAndWait()).toBe(id);
    const uri = `webgal://approvals/${id}`;
    await client.subscribeResource({ uri });
    expect(await read(uri)).toMatchObject({ id, capability: 'project.file.read', state: 'waiting', answeredAt: null });
    expect((await read('webgal://approvals')).approvals).toMatchObject([{ id, state: 'waiting' }]);
    const complete = async (template: string, name = 'id', value = '') =>
      (await client.complete({ ref: { type: 'ref/resource', uri: template }, argument: { name, value } })).completion;
    expect(await complete('webgal://approvals/{id}')).toMatchObject({ values: [id], total: 1 });
    expect(await complete('webgal://snapshots/{id}')).toMatchObject({ values: [], total: 0 });
    expect(await complete('webgal://approvals/{id}', 'path')).toEqual({ values: [] });
    expect(await complete('webgal://none/{id}')).toEqual({ values: [] });
    const { resources } = await client.listResources();
    expect(resources.map((each) => each.uri)).toContain('webgal://approvals');

    await openApp();
    const { approvals } = await ask<{ approvals: PendingApproval[] }>('approvals.list');
    expect(approvals).toMatchObject([{ id, caller: { id: 'test client' }, state: 'waiting', paths: [SCENE] }]);
    await ask('approvals.answer', { id, answer: 'approve' });
    await expect(ask('approvals.answer', { id, answer: 'reject' })).rejects.toThrow('answered before');
    expect(await read(uri)).toMatchObject({ state: 'done', result: { content: ':你好;\n' } });
    await expect.poll(() => updated, { timeout: 10_000 }).toContain(uri);
  },
  TIMEOUT_MS,
);

test(
  'a refusal is told, the app hears of new calls, and no other caller reads them',
  async () => {
    await openApp();
    const heard: string[] = [];
    composed?.app.on((event) => void heard.push(event));
    const id = await callAndWait();
    await expect.poll(() => heard, { timeout: 10_000 }).toContain('approvals.changed');
    await ask('approvals.answer', { id, answer: 'reject' });
    const seen = await read(`webgal://approvals/${id}`);
    expect(seen).toMatchObject({ state: 'rejected', error: { message: expect.stringContaining('refused') } });
    expect(seen.result).toBeUndefined();
    expect(await callAndWait()).not.toBe(id);

    raw = startRaw(game);
    await raw.hello();
    const request = (number: number, method: string, params: object) => {
      raw?.send({ jsonrpc: '2.0', id: number, method, params });
      return raw?.next((message) => message.id === number);
    };
    const list = await request(1, 'resources/read', { uri: 'webgal://approvals' });
    const [{ text }] = (list?.result?.contents ?? [{ text: '{}' }]) as [{ text: string }];
    expect(JSON.parse(text)).toEqual({ approvals: [] });
    expect((await request(2, 'resources/read', { uri: `webgal://approvals/${id}` }))?.error?.code).toBe(-32002);
    await expect(read('webgal://approvals/none')).rejects.toThrow('no such call');
  },
  TIMEOUT_MS,
);

test(
  'a call whose caller may do less by the time of the answer is not carried out',
  async () => {
    await openApp();
    // Without a role of the user's, it may do what it was started with.
    await client.close();
    client = await connectClient(game, { args: ['--allow-write'] });
    const path = 'game/scene/new.txt';
    const write = { name: 'write_to_file', arguments: { path, content: ':x;\n', dryRun: false } };
    const { content } = await client.callTool(write);
    const { error } = JSON.parse((content as [{ text: string }])[0].text);
    const { approvalId: id } = error.details as { approvalId: string };
    const roles = { assistant: 'owner', mcp: 'viewer', api: 'viewer', providers: {} };
    await ask('settings.update', { roles });
    await ask('approvals.answer', { id, answer: 'approve' });
    expect(await read(`webgal://approvals/${id}`)).toMatchObject({
      ...{ state: 'failed', error: { message: expect.stringContaining('the role viewer does not include it') } },
    });
  },
  TIMEOUT_MS,
);

test(
  'a game has one list, also where the client was given the folder "game" beside other files',
  async () => {
    await game.put('letter.txt', 'mine');
    await client.close();
    client = await connectClient({ ...game, root: join(game.root, 'game') });
    const id = await callAndWait();
    await openApp();
    const { approvals } = await ask<{ approvals: PendingApproval[] }>('approvals.list');
    expect(approvals).toMatchObject([{ id, state: 'waiting' }]);
  },
  TIMEOUT_MS,
);

test(
  'a call that would do something else by the time of a yes says so, and not that the user refused',
  async () => {
    await client.close();
    client = await connectClient(game, { args: ['--allow-write'] });
    const path = SCENE;
    const { content: seen } = await client.callTool({ name: 'grep', arguments: { pattern: '你好' } });
    expect(JSON.stringify(seen)).toContain(SCENE);
    const edit = { path, find: '你好', replace: '再见' };
    const { content } = await client.callTool({ name: 'replace_in_file', arguments: edit });
    const { error } = JSON.parse((content as [{ text: string }])[0].text);
    const { approvalId: id } = error.details as { approvalId: string };
    await game.put(SCENE, ':前面;\n:你好;\n');
    await openApp();
    await ask('approvals.answer', { id, answer: 'approve' });
    const { approvals } = await ask<{ approvals: PendingApproval[] }>('approvals.list');
    expect(approvals).toMatchObject([{ id, state: 'failed', error: { reason: 'approval.changed' } }]);
    const said = await read(`webgal://approvals/${id}`);
    expect(said.error).toMatchObject({ message: expect.stringContaining('is not what the user agreed to') });
    const log = ((await game.text('.webgal_agent/audit.jsonl')) ?? '').split('\n');
    expect(log.at(-2)).toContain('"why":"approval.changed"');
    expect(log.join()).not.toContain('tool.declined');
  },
  TIMEOUT_MS,
);

test(
  'reading resources puts no request before the user',
  async () => {
    const rules = { policies: { tools: { read_file: 'ask', list_project_resources: 'ask' } } };
    await game.put('.webgal_agent/policy.json', JSON.stringify(rules));
    for (let time = 0; time < 2; time += 1) {
      await expect(client.listResources()).rejects.toThrow('was not run');
      await expect(read('webgal://scene/start.txt')).rejects.toThrow('was not run');
    }
    expect(await read('webgal://approvals')).toEqual({ approvals: [] });
    const { content } = await client.callTool({ name: 'list_project_resources', arguments: {} });
    expect(JSON.stringify(content)).toContain('approvalId');
  },
  TIMEOUT_MS,
);
