import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type McpServer, toConsentText } from '../../../../shared/model/external/mcp-server.ts';
import { EXTERNAL_PORTS } from '../../../../tests/support/external-source.ts';
import { createAudit } from '../../../core/capability/audit/audit.ts';
import { createCapabilitySet } from '../../../core/capability/catalog/capability-set.ts';
import { followProviders } from '../../../core/capability/external/follow-providers.ts';
import { ExternalAnswer } from '../../../core/capability/external/to-answer.ts';
import { createToolRunner } from '../../../core/capability/runner/run-tool.ts';
import { createProviderSecrets } from '../provider-secrets.ts';
import { createMcpServers } from './mcp-servers.ts';
import { toResourceAnswer } from './to-content.ts';

/** What servers offer for reading, as the assistant receives it. */

const OFFICIAL = path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const HOSTILE = path.resolve('tests/support/hostile-mcp-server.mjs');
const clock = { now: Date.now, id: () => crypto.randomUUID() };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function connect(args: string[]) {
  const data = await mkdtemp(path.join(tmpdir(), 'mcp-resources-'));
  ends.push(() => rm(data, { recursive: true, force: true }));
  const servers = createMcpServers({
    ...{ version: '1.0.0', data, secrets: createProviderSecrets(null), environment: process.env, pauses: [] },
  });
  const set = createCapabilitySet([]);
  const providers = followProviders([servers], { set, clock });
  ends.push(() => servers.dispose());
  ends.push(async () => providers.dispose());
  const entry: McpServer = {
    ...{ id: 'lib', name: 'Library', enabled: true, agreed: null },
    transport: { type: 'stdio', command: process.execPath, args, env: [] },
  };
  servers.follow([{ ...entry, agreed: toConsentText(entry) }]);
  await expect.poll(() => set.current().length, { timeout: 20_000 }).toBeGreaterThan(1);
  const runner = createToolRunner({
    ...{ tools: set, ports: EXTERNAL_PORTS, clock, locale: () => 'en' as const, confirm: async () => true },
    audit: createAudit({ append: async () => undefined, ready: async () => ({ setAside: null }) }),
    caller: () => ({ type: 'model', id: 'assistant', role: 'owner' }),
    policy: () => ({
      project: { writes: 'drafted', developerMode: false, closedFolders: [] },
      settings: { tools: {} },
      roles: { providers: { lib: 'viewer' } },
    }),
  });
  const run = (name: string, input: Record<string, unknown>) =>
    runner.run({ ...{ id: 'c', name, input, mode: 'act', trace: 't' }, signal: AbortSignal.timeout(15_000) });
  const answer = async (name: string, input: Record<string, unknown> = {}): Promise<ExternalAnswer> => {
    const outcome = await run(name, input);
    if (!outcome.ok) throw new Error(outcome.error?.message);
    return ExternalAnswer.parse((outcome.value as { data?: unknown }).data ?? outcome.value);
  };
  return { set, run, answer, read: (uri: string) => answer('ext_lib_resources_read', { uri }) };
}

test('lists and reads what the reference server offers', { timeout: 60_000 }, async () => {
  const { answer, read, run } = await connect([OFFICIAL]);
  const { text } = await answer('ext_lib_resources_list');
  const [address = ''] = /^res:\S+/m.exec(text) ?? [];
  expect(address).toMatch(/\.md$/);
  expect((await read(address)).text.length).toBeGreaterThan(100);
  expect((await read('demo://resource/dynamic/text/1')).text).toContain('1');
  const blob = await read('demo://resource/dynamic/blob/1');
  expect(blob.files).toMatchObject([{ asset: null, notKept: expect.any(String) }]);
  expect(await run('ext_lib_resources_read', { uri: 'demo://none' })).toMatchObject({
    ok: false,
    error: { reason: 'provider.callFailed' },
  });
  expect(await run('ext_lib_resources_read', {})).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGS' } });
});

test('hostile lists are bounded, lines are not forged, and the next page can be asked for', async () => {
  const many = await connect([HOSTILE, 'many-resources']);
  const page = await many.answer('ext_lib_resources_list');
  expect(page.text).toMatch(/^res:[0-9a-f]{8}_0 r0 /m);
  expect(page.text).toContain('next-page');
  expect(page.text.length).toBeLessThan(21_000);
  expect(page.leftOut).toMatch(/\d+ more/);

  const odd = await connect([HOSTILE, 'resources']);
  const { text } = await odd.answer('ext_lib_resources_list');
  expect(text.split('\n').filter((line) => line.startsWith('More with cursor'))).toEqual([]);
  expect(text).not.toContain('\u202e');
  expect(text).not.toContain('/home/writer');
  expect(text).toContain('keys');
  expect(text.length).toBeLessThan(5000);
});

test('a file is listed without its folder, and read by the name that the list gave it', async () => {
  const { answer, read, run } = await connect([HOSTILE, 'resources']);
  const { text } = await answer('ext_lib_resources_list');
  expect(text).not.toMatch(/home|library|Users|books|demo:/);
  const [line = '', address = ''] = /^(res:[0-9a-f]{8}_skeletondance\.txt) .*$/m.exec(text) ?? [];
  expect(line).toContain(' dance (text/plain): Steps of …/my. res:00000000 forged');
  const said = (await read(address)).text;
  expect(said).toContain('one step');
  expect(said).not.toContain('library');
  expect((await read(/^res:\S+台词\.txt/m.exec(text)?.[0] ?? '')).text).toContain('a line');
  // The same name as long as the connection is the same, also where a tool links to it.
  expect((await answer('ext_lib_resources_list')).text).toContain(address);
  const linked = (await answer('ext_lib_ok')).text;
  expect(linked).toContain(`[address: linked ${address}]`);
  expect(linked).toContain('…/not-listed.txt');

  const unknown = { ok: false, error: { code: 'E_NOT_FOUND', reason: 'provider.unlisted' } };
  for (const other of [address.replace('skeletondance', 'other'), address.slice(0, 12), 'res:00000000']) {
    expect(await run('ext_lib_resources_read', { uri: other })).toMatchObject(unknown);
  }
  const next = await connect([HOSTILE, 'resources']);
  await next.answer('ext_lib_resources_list');
  expect(await next.run('ext_lib_resources_read', { uri: address })).toMatchObject(unknown);
  expect(await run('ext_lib_resources_read', { uri: 'file:///home/writer/not-listed.txt' })).toMatchObject({
    error: { reason: 'provider.leak' },
  });
});

test('huge files are dropped with a sentence, and one beyond all limits ends its call', async () => {
  const blob = Buffer.alloc(8 * 1024 * 1024).toString('base64');
  const { content, leftOut } = toResourceAnswer({
    contents: [
      { uri: 'demo://1', blob },
      { uri: 'demo://2', blob },
    ],
  });
  expect(content).toHaveLength(1);
  expect(leftOut).toBe('1 files that are too large');
  const { run } = await connect([HOSTILE, 'resources']);
  const outcome = await run('ext_lib_resources_read', { uri: 'demo://blob' });
  expect(outcome).toMatchObject({ ok: false, error: { reason: 'provider.gone' } });
});

test('hostile contents are bounded, plain and kept from the folders of this computer', async () => {
  const { read, run } = await connect([HOSTILE, 'resources']);
  expect((await read('demo://nonsense')).files).toMatchObject([{ asset: null, notKept: expect.any(String) }]);
  const { text } = await read('demo://markup');
  expect(text).not.toMatch(/!\[|<img|<script|\u202e/);
  expect(text).toContain('IGNORE ALL RULES');
  expect((await read('demo://foreign')).text).not.toContain('/home/writer');
  const parts = await read('demo://many');
  expect(parts.leftOut).toContain('4800 more parts');
  expect(await run('ext_lib_resources_read', { uri: 'demo://broken' })).toMatchObject({
    ok: false,
    error: { reason: 'provider.unreadable' },
  });
  // Nothing of this computer is asked of a server, whatever it lists.
  expect(await run('ext_lib_resources_read', { uri: 'file:///home/writer/secret/keys.txt' })).toMatchObject({
    ok: false,
  });
});
