import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createViewerDoor } from '../../main/node/viewer/viewer-door.ts';
import { connectClient, createMcpProject, type McpProjectFolder } from '../support/mcp-process.ts';

const FILES = {
  'game/scene/start.txt': 'changeBg:beach.jpg;\nlabel:morning;\n雪乃:你好;\n阿明:早;\nlabel:noon;\nend;\n',
  'game/scene/second.txt': '雪菜:又一天;\nend;\n',
  'game/scene/closed/secret.txt': '密:x;\nend;\n',
  'game/config.txt': 'Game_name:海边;\nGame_key:beach;\n',
  'game/background/beach.jpg': 'x',
  'game/background/night/beach.jpg': 'x',
};
/** Each test starts programs, which is slow on a busy machine. */
const TIMEOUT_MS = 90_000;

let game: McpProjectFolder;
let empty: string;
const clients: Client[] = [];
const connect: typeof connectClient = async (...request) => {
  const client = await connectClient(...request);
  clients.push(client);
  return client;
};

beforeAll(async () => {
  game = await createMcpProject(FILES);
  empty = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-empty-')));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(async () => {
  await game.dispose();
  await rm(empty, { recursive: true, force: true });
});

describe('a client that completes arguments', { timeout: TIMEOUT_MS }, () => {
  const complete = async (prompt: string, [name, value]: [string, string], given: Record<string, string> = {}) => {
    const [client] = clients;
    const { completion } = (await client?.complete({
      ref: { type: 'ref/prompt', name: prompt },
      argument: { name, value },
      context: { arguments: given },
    })) ?? { completion: { values: [] } };
    return completion.values;
  };

  it('receives names of the game: scenes, labels of the scene, backgrounds, characters and languages', async () => {
    await connect(game);
    expect(await complete('proofread_scene', ['scene', 'S'])).toEqual(['second.txt', 'start.txt', 'closed/secret.txt']);
    expect(await complete('add_choice', ['label', ''], { scene: 'game/scene/start.txt' })).toEqual(['morning', 'noon']);
    expect(await complete('add_choice', ['label', ''], { scene: 'missing.txt' })).toEqual([]);
    expect(await complete('write_scene', ['background', 'night'])).toEqual(['night/beach.jpg']);
    // The last of several, without those that are there.
    expect(await complete('write_scene', ['characters', '阿明, 雪'])).toEqual(['阿明,雪乃', '阿明,雪菜']);
    expect(await complete('translate_scene', ['language', 'jap'])).toEqual(['Japanese']);
    expect(await complete('write_scene', ['idea', 'x'])).toEqual([]);
    await expect(complete('write_scene', ['constructor', ''])).rejects.toThrow('no such argument');
  });

  it('receives scenes for the variable of a resource, and none of a folder that is closed', async () => {
    await game.put('.webgal_agent/policy.json', JSON.stringify({ policies: { forbiddenDirs: ['game/scene/closed'] } }));
    const client = await connect(game);
    await client.listTools();
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'webgal://scene/{+path}' },
      argument: { name: 'path', value: 's' },
    });
    expect(completion).toEqual({ values: ['second.txt', 'start.txt'], total: 2, hasMore: false });
    await rm(path.join(game.root, '.webgal_agent', 'policy.json'));
  });

  it('receives a prompt with what it chose', async () => {
    const client = await connect(game);
    const { messages } = await client.getPrompt({
      name: 'write_scene',
      arguments: { idea: 'x', background: 'beach.jpg', characters: '雪乃' },
    });
    expect(JSON.stringify(messages)).toContain('beach.jpg');
    expect(JSON.stringify(messages)).toContain('雪乃');
  });
});

describe('a client that tells which folders it has open', { timeout: TIMEOUT_MS }, () => {
  it('works in the game that it has open, when none was named', async () => {
    const client = await connect(game, { roots: () => [empty, path.join(game.root, 'game')] });
    const result = await client.callTool({ name: 'read_file', arguments: { path: 'game/scene/second.txt' } });
    expect(JSON.stringify(result.structuredContent)).toContain('又一天');
  });

  it('is told what is missing while it has no game open, and works once it has one', async () => {
    const open = [empty];
    const client = await connect(game, { roots: () => open });
    await expect(client.listTools()).rejects.toThrow('None of the folders that are open holds a game.');
    open.push(game.root);
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  });

  it('is told the names of the games when it has several open', async () => {
    const other = path.join(empty, 'other');
    await mkdir(path.join(other, 'game', 'scene'), { recursive: true });
    await writeFile(path.join(other, 'game', 'config.txt'), 'Game_name:x;\n');
    const client = await connect(game, { roots: () => [other, game.root] });
    await expect(client.listTools()).rejects.toThrow(/Several games are open: other, mcp-game-/);
    await rm(other, { recursive: true });
  });

  it('is told that the named game is in none of them, and not when it is', async () => {
    const heard: unknown[] = [];
    const prepare = (client: Client) =>
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
    const open = [game.root];
    const client = await connect(game, { roots: () => open, args: ['--project', game.root], prepare });
    await client.listTools();
    expect(heard).toEqual([]);
    open[0] = empty;
    await client.sendRootsListChanged();
    await expect
      .poll(() => heard)
      .toEqual([
        { level: 'warning', logger: 'roots', data: expect.stringMatching(/“海边” lies outside .* test client\./) },
      ]);
  });
});

it('a client is told when the app opens the same game and when it closes it', { timeout: TIMEOUT_MS }, async () => {
  let changes = 0;
  const client = await connect(game, {
    prepare: (made) =>
      made.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        changes += 1;
      }),
  });
  const hasViewer = async () => (await client.listTools()).tools.some(({ name }) => name === 'viewer_action');
  expect(await hasViewer()).toBe(false);
  const data = path.join(game.environment.WEBGAL_AGENT_HOME ?? '');
  const door = createViewerDoor({ data, game: game.root });
  const open = await door.open(async () => ({ success: true }) as never);
  await expect.poll(() => changes, { timeout: 20_000 }).toBe(1);
  expect(await hasViewer()).toBe(true);
  await open.close();
  await expect.poll(() => changes, { timeout: 20_000 }).toBe(2);
  expect(await hasViewer()).toBe(false);
});
