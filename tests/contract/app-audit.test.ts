import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Composed, compose } from '../../main/compose.ts';
import { createWebHost } from '../../main/hosts/web/web-host.ts';
import type { AuditPage } from '../../shared/model/audit.ts';
import { createProjectFolder } from '../support/games/project-folder.ts';

/** The audit log of the app itself: with real files, and mostly without a game. */

let home: string;
let composed: Composed;

const start = async () => {
  const environment = { ...process.env, WEBGAL_AGENT_HOME: home, WEBGAL_AGENT_KEYCHAIN: 'memory' };
  composed = await compose({ host: createWebHost(), resources: join(home, 'none'), environment });
};
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'app-audit-'));
  await start();
});
afterEach(async () => {
  await composed.dispose();
  await rm(home, { recursive: true, force: true });
});

async function ask<T>(method: string, input: object = {}): Promise<T> {
  const reply = await composed.app.call(method, input);
  if (!reply.ok) throw Object.assign(new Error(reply.error.message), reply.error);
  return reply.value as T;
}
const list = () => ask<AuditPage>('audit.list', { filter: {}, skip: 0, limit: 50 });
const lines = async () => (await list()).entries.map(({ tool, args }) => [tool, args]);

test('holds what was changed without a game: settings, roles, services, tokens and keys, but no secret', async () => {
  expect(await list()).toMatchObject({ entries: [], total: 0, damaged: 0 });
  const secret = 'sk-a-secret-of-mine';
  const roles = { assistant: 'writer', mcp: null, api: 'viewer', providers: {} };
  await ask('settings.update', { roles, theme: 'dark' });
  await ask('settings.setKey', { provider: 'deepseek', key: secret });
  const { token } = await ask<{ token: string }>('connections.createToken', { provider: 'dice' });
  await ask('connections.removeToken', { provider: 'dice' });
  await ask('providers.add', { text: `{"mcpServers":{"notes":{"command":"/opt/${secret}/notes"}}}` });
  expect((await lines()).toReversed()).toEqual([
    ['change_settings', { changed: ['theme', 'roles'], roles }],
    ['set_key', { provider: 'deepseek' }],
    ['create_token', { provider: 'dice' }],
    ['remove_token', { provider: 'dice' }],
    ['change_settings', { changed: ['mcpServers'], servicesAdded: ['notes'] }],
  ]);
  const file = await readFile(join(home, 'app-audit.jsonl'), 'utf8');
  for (const text of [secret, token]) expect(file).not.toContain(text);
});

test('outlives the app, is shown among the calls in a game, and is not written into the game', async () => {
  await ask('settings.update', { developerMode: true });
  await composed.dispose();
  await start();
  expect(await lines()).toEqual([['change_settings', { changed: ['developerMode'], developerMode: true }]]);
  const game = await createProjectFolder({ 'game/scene/start.txt': ':x;\n', 'game/config.txt': 'Game_name:x;\n' });
  await composed.openFolder(game.root);
  await ask('settings.update', { developerMode: false });
  expect((await list()).total).toBe(2);
  expect(await game.text('.webgal_agent/audit.jsonl').catch(() => null)).toBeNull();
  expect((await ask<{ count: number }>('audit.export', { filter: {}, format: 'csv' })).count).toBe(2);
  await composed.app.call('project.close', {});
  await game.dispose();
});

test('marks a line that this app did not write', async () => {
  await ask('settings.update', { developerMode: true });
  const file = join(home, 'app-audit.jsonl');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('"developerMode":true', '"developerMode":false'));
  expect((await list()).entries.map(({ isForeign }) => isForeign)).toEqual([true]);
});
