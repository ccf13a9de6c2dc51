import { writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tools } from '../../main/tools/index.ts';
import {
  connectClient,
  createMcpProject,
  type McpProjectFolder,
  type RawMcp,
  startRaw,
} from '../support/mcp-process.ts';

const SCENE = 'game/scene/start.txt';
const FILES = {
  [SCENE]: 'changeBg:beach.jpg;\n雪乃:你好;\nend;\n',
  'game/scene/second.txt': ':又一天;\nend;\n',
  'game/config.txt': 'Game_name:海边;\nGame_key:beach;\nTitle_img:beach.jpg;\n',
  'game/background/beach.jpg': 'x',
  'package.json': JSON.stringify({ scripts: { build: 'echo "Build complete"' } }),
};

/** Each test starts programs, which is slow on a busy machine. */
const TIMEOUT_MS = 90_000;

let game: McpProjectFolder;
const clients: Client[] = [];
const raws: RawMcp[] = [];

const connect: typeof connectClient = async (...request) => {
  const client = await connectClient(...request);
  clients.push(client);
  return client;
};
const start = (args: string[] = []): RawMcp => {
  const raw = startRaw(game, args);
  raws.push(raw);
  return raw;
};
const call = async (client: Client, name: string, input: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: input });
  const [content] = result.content as { type: string; text: string }[];
  return { isError: result.isError === true, data: result.structuredContent, text: JSON.parse(content?.text ?? '') };
};

async function closeAll(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const { child } of raws) child.kill('SIGKILL');
  await Promise.all(raws.splice(0).map(({ exited }) => exited));
}

describe('a client with write permission', { timeout: TIMEOUT_MS }, () => {
  let client: Client;
  beforeAll(async () => {
    game = await createMcpProject(FILES);
    client = await connect(game, { args: ['--allow-write', '--developer-mode'] });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await closeAll();
    // The lock is released for the next client.
    expect(await readdir(path.join(game.root, '.webgal_agent'))).not.toContain('agent.lock');
    await game.dispose();
  });

  it('receives the schemas and annotations of every tool', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'webgal-agent', title: 'WebGAL Agent: 海边' });
    expect(client.getInstructions()).toContain('game/scene');
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(15);
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
      expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
        'title',
      ]);
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints.read_file).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
    expect(hints.write_to_file).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: false });
    const untouched = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    expect(hints.list_background_tasks).toMatchObject(untouched);
    expect(hints.get_runtime_info).toMatchObject(untouched);
    for (const name of ['browser_action', 'execute_command', 'stop_background_task', 'delete_file']) {
      expect([name, hints[name]]).toEqual([
        name,
        expect.objectContaining({ readOnlyHint: false, destructiveHint: true, idempotentHint: false }),
      ]);
    }
    expect(tools.find(({ name }) => name === 'write_to_file')?.inputSchema.required).toEqual([
      'path',
      'content',
      'dryRun',
    ]);
  });

  it('receives each result as data and as text', async () => {
    const { data, text, isError } = await call(client, 'read_file', { path: SCENE });
    expect(data).toEqual({
      path: SCENE,
      content: FILES[SCENE],
      encoding: 'utf-8',
      bytes: Buffer.byteLength(FILES[SCENE] ?? ''),
    });
    expect([text, isError]).toEqual([data, false]);
  });

  it('receives each failure in the shape of the contract', async () => {
    const { isError, data, text } = await call(client, 'read_file', { path: 'game/scene/strat.txt' });
    expect([isError, data]).toEqual([true, undefined]);
    expect(text).toEqual({
      error: {
        code: 'E_NOT_FOUND',
        message: expect.any(String),
        details: expect.any(Object),
        hint: expect.stringContaining('start.txt'),
        recoverable: true,
      },
    });
    expect((await call(client, 'read_file', { path: '../secret' })).text.error.code).toBe('E_DENY_PATH');
    expect((await call(client, 'read_file', { path: SCENE, mode: 1 })).text.error.code).toBe('E_BAD_ARGS');
    for (const wrong of [{ dryRun: 'false' }, { dryRun: null }, { dryRun: false, mode: 'Overwrite' }, { dryRun: 0 }]) {
      const { text: refused } = await call(client, 'write_to_file', { path: SCENE, content: 'x', ...wrong });
      expect(refused.error.code).toBe('E_BAD_ARGS');
    }
    expect((await call(client, 'list_snapshots', { limit: '5' })).text.error.code).toBe('E_BAD_ARGS');
    expect((await call(client, 'no_such_tool')).text.error.code).toBe('E_UNSUPPORTED');
  });

  it('writes only what it has dry-run before', async () => {
    const change = { path: 'game/scene/second.txt', content: ':第三天;\nend;\n' };
    const early = await call(client, 'write_to_file', { ...change, dryRun: false });
    expect(early.text.error).toMatchObject({
      code: 'E_POLICY_VIOLATION',
      hint: expect.stringContaining('dryRun: true'),
    });
    const tried = await call(client, 'write_to_file', { ...change, dryRun: true });
    expect(tried.data).toMatchObject({ applied: false });
    expect(await game.text(change.path)).toBe(FILES['game/scene/second.txt']);
    const other = await call(client, 'write_to_file', { ...change, content: ':别的;\n', dryRun: false });
    expect(other.text.error.code).toBe('E_POLICY_VIOLATION');
    const written = await call(client, 'write_to_file', { ...change, dryRun: false });
    expect(written.data).toMatchObject({ applied: true, snapshotId: expect.stringMatching(/^snap_/) });
    expect(await game.text(change.path)).toBe(change.content);
    const { snapshotId } = written.data as { snapshotId: string };
    expect((await call(client, 'restore_snapshot', { snapshotId })).data).toEqual({
      path: change.path,
      content: FILES['game/scene/second.txt'],
    });
    const again = await call(client, 'write_to_file', { ...change, dryRun: false });
    expect(again.text.error.code).toBe('E_POLICY_VIOLATION');
  });

  it('receives a conflict when the file changed since the dry run', async () => {
    const change = { path: 'game/scene/conflict.txt', content: ':甲;\n' };
    await call(client, 'write_to_file', { ...change, dryRun: true });
    await game.put(change.path, ':乙;\n');
    const refused = await call(client, 'write_to_file', { ...change, dryRun: false });
    expect(refused.text.error.code).toBe('E_CONFLICT');
    expect(await game.text(change.path)).toBe(':乙;\n');
  });

  it('runs the scripts it was started for', async () => {
    const { data } = await call(client, 'execute_command', { scriptName: 'build' });
    expect(data).toMatchObject({ ok: true, logs: expect.arrayContaining([expect.stringContaining('Build complete')]) });
  });

  it('runs no script written in the meantime, and those that existed before', async () => {
    const manifest = JSON.parse(FILES['package.json']) as { scripts: Record<string, string> };
    const change = (scripts: Record<string, string>) => game.put('package.json', JSON.stringify({ scripts }));
    await change({ build: 'echo hacked > hacked.txt', lint: 'echo hacked > hacked.txt' });
    for (const scriptName of ['build', 'lint']) {
      const { text } = await call(client, 'execute_command', { scriptName });
      expect([text.error.code, text.error.hint]).toEqual([
        'E_POLICY_VIOLATION',
        expect.stringContaining('package.json'),
      ]);
    }
    expect(await game.text('hacked.txt')).toBe(null);
    await change({ ...manifest.scripts, lint: 'echo hacked > hacked.txt' });
    expect((await call(client, 'execute_command', { scriptName: 'build' })).data).toMatchObject({ ok: true });
  });

  it('receives the problem in the policy file, with its position', async () => {
    await game.put('.webgal_agent/policy.json', '{"policies":{"tools":{"delete_files":"never"}}}');
    expect((await call(client, 'read_file', { path: SCENE })).text.error).toMatchObject({
      code: 'E_POLICY_VIOLATION',
      message: expect.stringContaining('"delete_files" is no tool'),
    });
    expect((await call(client, 'get_runtime_info')).data).toMatchObject({ projectRoot: game.root });
    await game.put('.webgal_agent/policy.json', '{"policies":{"maxReadBytes":1000}}');
    expect((await call(client, 'get_runtime_info')).data).toMatchObject({ sandbox: { maxReadBytes: 1000 } });
    await game.put('.webgal_agent/policy.json', '{}');
  });

  it('removes a file without asking when the client cannot ask, and can restore it', async () => {
    await game.put('game/scene/old.txt', ':旧;\n');
    const { data } = await call(client, 'delete_file', { path: 'game/scene/old.txt' });
    expect(data).toEqual({ applied: true, snapshotId: expect.any(String) });
    expect(await game.text('game/scene/old.txt')).toBe(null);
    const { snapshotId } = data as { snapshotId: string };
    expect((await call(client, 'restore_snapshot', { snapshotId })).data).toMatchObject({ content: ':旧;\n' });
  });

  it('reads the game as resources', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining([
        'webgal://assets',
        'webgal://diagnostics',
        'webgal://snapshots',
        'webgal://scene/start.txt',
        'webgal://scene/second.txt',
      ]),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'webgal://scene/{+path}',
      'webgal://diagnostics/{+path}',
      'webgal://snapshots/{id}',
      'webgal://approvals/{id}',
    ]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string };
    expect(await read('webgal://scene/start.txt')).toEqual({
      uri: 'webgal://scene/start.txt',
      mimeType: 'text/plain',
      text: FILES[SCENE],
    });
    expect(JSON.parse((await read('webgal://assets')).text).backgrounds).toEqual(['beach.jpg']);
    expect(JSON.parse((await read('webgal://diagnostics/start.txt')).text)).toEqual({ valid: true, diagnostics: [] });
    await expect(read('webgal://scene/none.txt')).rejects.toMatchObject({
      code: -32002,
      message: expect.stringMatching(/^MCP error -32002: (?!MCP error)/),
    });
    await expect(read('webgal://scene/..%2F..%2F.env')).rejects.toMatchObject({
      code: -32602,
      data: expect.objectContaining({ code: 'E_DENY_PATH' }),
    });
    for (const uri of ['webgal://scene/../../../etc/passwd', 'webgal://scene/..%2F..%2F.env', 'file:///etc/passwd']) {
      await expect(read(uri)).rejects.toThrow();
    }
    expect((await game.audit()).map(({ tool, code }) => `${tool} ${code}`)).toEqual(
      expect.arrayContaining(['read_file null', 'read_file E_DENY_PATH', 'validate_script null']),
    );
  });

  it('is notified when scenes appear or vanish', async () => {
    const heard: string[] = [];
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('list'));
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    for (const uri of ['webgal://scene/second.txt', 'webgal://snapshots']) await client.subscribeResource({ uri });
    // Notifications for snapshots made before come first.
    await game.put('game/scene/second.txt', ':又一天了;\nend;\n');
    await expect.poll(() => heard).toContain('webgal://scene/second.txt');
    heard.splice(0);
    // An edit by the user changes a scene, but neither the list of scenes nor the snapshots.
    await game.put('game/scene/second.txt', ':又是一天;\nend;\n');
    await expect.poll(() => [...new Set(heard)]).toEqual(['webgal://scene/second.txt']);
    await game.put('game/scene/third.txt', ':三;\n');
    await expect.poll(() => heard.at(-1)).toBe('list');
    await call(client, 'replace_in_file', { path: 'game/scene/third.txt', find: '三', replace: '四' });
    await expect.poll(() => heard.at(-1)).toBe('webgal://snapshots');
    expect(heard.filter((what) => what === 'list')).toEqual(['list']);
  });

  it('has prompts for common tasks', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'write_scene',
      'check_game',
      'proofread_scene',
      'add_choice',
      'translate_scene',
      'undo_change',
    ]);
    const { messages } = await client.getPrompt({ name: 'proofread_scene', arguments: { scene: 'start.txt' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('game/scene/start.txt') } },
    ]);
    await expect(client.getPrompt({ name: 'proofread_scene', arguments: {} })).rejects.toThrow('scene');
    await expect(client.getPrompt({ name: 'constructor' })).rejects.toThrow('no prompt');
  });

  it('receives progress, and cancels calls', async () => {
    await game.put('game/scene/slow.txt', `${'a'.repeat(60)}!\n`);
    const ticks: number[] = [];
    const stop = new AbortController();
    const slow = client.callTool(
      { name: 'search_files', arguments: { path: 'game/scene', regex: '(a+)+$' } },
      undefined,
      {
        signal: stop.signal,
        onprogress({ progress }) {
          ticks.push(progress);
          stop.abort('enough');
        },
      },
    );
    await expect(slow).rejects.toThrow();
    expect(ticks.length).toBe(1);
    await expect
      .poll(async () => (await game.audit()).filter(({ tool }) => tool === 'search_files'))
      .toEqual([expect.objectContaining({ ok: false, code: 'E_TIMEOUT' })]);
    // A cancelled call does not block later ones.
    expect((await call(client, 'list_files', { path: 'game' })).isError).toBe(false);
  });

  it('can call every tool with its declared examples', async () => {
    // The client validates each result against the tool's schema.
    const { tools: listed } = await client.listTools();
    const called: string[] = [];
    for (const { name } of listed) {
      for (const example of tools.find((tool) => tool.name === name)?.examples ?? []) {
        const { isError, text } = await call(client, name, example as Record<string, unknown>);
        called.push(name);
        expect([name, isError ? text.error.code : 'ok']).not.toEqual([name, 'E_INTERNAL']);
      }
    }
    expect([...new Set(called)]).toEqual(listed.map(({ name }) => name));
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['delete_file', 'execute_command']));
  });

  it('holds the lock: a second writing client gets the holder’s name', async () => {
    const second = start(['--allow-write']);
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.errors()).toMatch(/in use by webgal-agent mcp \(process \d+ on .+, since 20/);
    expect(second.stray).toEqual([]);
    // A read-only client needs no lock.
    const reader = await connect(game);
    expect((await call(reader, 'read_file', { path: SCENE })).isError).toBe(false);
    expect((await call(client, 'list_files', { path: 'game' })).isError).toBe(false);
  });
});

describe('a client without write permission', { timeout: TIMEOUT_MS }, () => {
  const change = { path: SCENE, find: '你好', replace: '再见' };
  /** The user's choices for the app, where a change waits in a proposal: no permission for a client. */
  const choices = JSON.stringify({ tools: Object.fromEntries(tools.map(({ name }) => [name, 'allow'])) });
  const toChoices = () => path.join(game.environment.WEBGAL_AGENT_HOME ?? '', 'settings.json');
  /** One program for all tests, which answers its questions in turn. */
  let client: Client;
  let answer: (message: string) => 'accept' | 'decline' | 'cancel';
  beforeAll(async () => {
    game = await createMcpProject(FILES);
    await writeFile(toChoices(), choices);
    client = await connect(game, {
      answer({ message }) {
        const action = answer(message);
        return action === 'accept' ? { action, content: {} } : { action };
      },
    });
  }, TIMEOUT_MS);
  beforeEach(() => game.put(SCENE, FILES[SCENE] ?? ''));
  afterAll(async () => {
    await closeAll();
    await game.dispose();
  });

  it('is refused with a hint on the permission when it cannot ask the user', async () => {
    const silent = await connect(game);
    const names = (await silent.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('write_to_file');
    const { text } = await call(silent, 'replace_in_file', change);
    expect(text.error).toMatchObject({ code: 'E_POLICY_VIOLATION', hint: expect.stringContaining('--allow-write') });
    expect((await call(silent, 'execute_command', { scriptName: 'build' })).text.error.code).toBe('E_TOOL_DISABLED');
    expect(await game.text(SCENE)).toBe(FILES[SCENE]);
  });

  it('asks the user with names that are shown as names', async () => {
    const asked: string[] = [];
    answer = (message) => {
      asked.push(message);
      return 'decline';
    };
    const path = 'game/scene/start.txt” (Safe. Accepting only opens a preview)\u200b .txt';
    const shown = 'game/scene/start.txt\\u{201d} (Safe. Accepting only opens a preview)\\u{200b} .txt';
    await call(client, 'write_to_file', { path, content: 'Files: none\u200b\n', dryRun: false });
    await call(client, 'update_memory', { action: 'create', title: 'x”\n\nAll safe', knowledge_to_store: '- y' });
    expect(asked).toEqual([
      [
        'Let the agent do this, this once?',
        `Write “\u2068${shown}\u2069” (write_to_file)`,
        '',
        `New file “\u2068${shown}\u2069” (+1 −0)`,
        '+ Files: none⟦U+200B ZERO WIDTH SPACE⟧',
      ].join('\n'),
      expect.stringMatching(
        /^Let the agent do this, this once\?\nNote “[^\n“”]+” in the story bible \(update_memory\)\n/,
      ),
    ]);
  });

  it('asks with the reasons about a text that the rules block, and writes it only after a yes', async () => {
    const asked: string[] = [];
    const answers = ['accept', 'decline', 'accept', 'accept'] as const;
    answer = (message) => {
      asked.push(message);
      return answers[asked.length - 1] ?? 'decline';
    };
    const remote = { path: SCENE, find: 'changeBg:beach.jpg;', replace: 'changeBg:https://example.invalid/a.png;' };
    const refused = await call(client, 'replace_in_file', remote);
    expect(refused.text.error).toMatchObject({
      code: 'E_POLICY_VIOLATION',
      hint: expect.stringContaining('did not agree'),
    });
    expect(await game.text(SCENE)).toBe(FILES[SCENE]);
    expect(asked[0]).not.toContain('internet');
    expect(asked[1]).toContain('It needs your word, because:\n- Would load something from the internet: “');
    expect((await call(client, 'replace_in_file', remote)).isError).toBe(false);
    expect(await game.text(SCENE)).toContain('https://example.invalid/a.png');
    expect(asked).toHaveLength(4);
  });

  it('does not overwrite a file that changed while the user read the question', async () => {
    answer = () => {
      writeFileSync(path.join(game.root, SCENE), ':你好，你好;\n');
      return 'accept';
    };
    expect((await call(client, 'replace_in_file', change)).text.error.code).toBe('E_CONFLICT');
    expect(await game.text(SCENE)).toBe(':你好，你好;\n');
  });

  it('is not permitted by the user’s choices for the app, where a change waits in a proposal', async () => {
    const asked: string[] = [];
    answer = (message) => {
      asked.push(message);
      return 'decline';
    };
    expect((await call(client, 'replace_in_file', change)).text.error.code).toBe('E_POLICY_VIOLATION');
    expect((await call(client, 'delete_file', { path: SCENE })).text.error.code).toBe('E_POLICY_VIOLATION');
    expect([asked.length, await game.text(SCENE)]).toEqual([2, FILES[SCENE]]);
    expect(await readFile(toChoices(), 'utf8')).toBe(choices);
  });

  it('writes what the user allows, with a question for each write', async () => {
    const answers = ['decline', 'cancel', 'accept'] as const;
    const asked: string[] = [];
    answer = (message) => {
      asked.push(message);
      return answers[asked.length - 1] ?? 'decline';
    };
    for (let refusal = 0; refusal < 2; refusal += 1) {
      const { text } = await call(client, 'replace_in_file', change);
      expect(text.error).toMatchObject({ code: 'E_POLICY_VIOLATION', message: expect.stringContaining('refused') });
      expect(await game.text(SCENE)).toBe(FILES[SCENE]);
    }
    expect((await call(client, 'replace_in_file', change)).data).toEqual({ count: 1 });
    expect(await game.text(SCENE)).toContain('再见');
    expect(asked).toEqual(
      Array(3).fill(
        [
          'Let the agent do this, this once?',
          `Replace “\u2068你好\u2069” in “\u2068${SCENE}\u2069” (replace_in_file)`,
          '',
          `Change to “\u2068${SCENE}\u2069” (+1 −1)`,
          'From line 2:',
          '- 雪乃:你好;',
          '+ 雪乃:再见;',
        ].join('\n'),
      ),
    );
    // The lock is held only during the write.
    expect(await readdir(path.join(game.root, '.webgal_agent'))).not.toContain('agent.lock');
  });
});

describe('the wire', { timeout: TIMEOUT_MS }, () => {
  beforeEach(async () => {
    game = await createMcpProject(FILES);
  });
  afterEach(async () => {
    await closeAll();
    await game.dispose();
  });

  it('answers malformed messages with errors, and the next valid one', async () => {
    const raw = start();
    raw.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await raw.next()).error?.message).toContain('initialize');
    await raw.hello();
    const junk: [string | Uint8Array, number | null, number][] = [
      ['not json\n', null, -32700],
      [Uint8Array.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), null, -32700],
      [`${'['.repeat(100_000)}\n`, null, -32700],
      ['[{"jsonrpc":"2.0","id":3,"method":"ping"}]\n', null, -32600],
      ['{"jsonrpc":"1.0","id":4,"method":"ping"}\n', 4, -32600],
      ['{"jsonrpc":"2.0","id":5,"method":"no/such"}\n', 5, -32601],
      ['{"jsonrpc":"2.0","id":6,"method":"initialize","params":{}}\n', 6, -32600],
      [`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"${'x'.repeat(33 * 1024 * 1024)}"}}\n`, null, -32600],
    ];
    for (const [bytes, id, code] of junk) {
      raw.send(bytes);
      const { error, ...rest } = await raw.next();
      expect([rest.id, error?.code]).toEqual([id, code]);
    }
    raw.send('\n\r\n  \n{"jsonrpc":"2.0","id":9,"method":"ping"}\r\n');
    expect(await raw.next()).toEqual({ jsonrpc: '2.0', id: 9, result: {} });

    // Concurrent requests with the same id are refused; an answered id can be used again.
    await game.put('game/scene/slow.txt', `${'a'.repeat(60)}!\n`);
    const search = { name: 'search_files', arguments: { path: 'game/scene', regex: '(a+)+$' } };
    raw.send({ jsonrpc: '2.0', id: 10, method: 'tools/call', params: search });
    raw.send({ jsonrpc: '2.0', id: 10, method: 'ping' });
    expect((await raw.next(({ id }) => id === 10)).error?.message).toContain('in use');
    expect((await raw.next(({ id }) => id === 10)).result?.isError).toBe(true);
    raw.send({ jsonrpc: '2.0', id: 10, method: 'ping' });
    expect((await raw.next(({ id }) => id === 10)).result).toEqual({});
    expect(raw.stray).toEqual([]);
  });

  it('leaves a file whole and answers when a client disconnects during a write', async () => {
    const raw = start(['--allow-write']);
    await raw.hello();
    const content = ':长;\n'.repeat(50_000);
    const write = (id: number, dryRun: boolean) =>
      raw.send({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'write_to_file', arguments: { path: SCENE, content, dryRun } },
      });
    write(1, true);
    await raw.next(({ id }) => id === 1);
    write(2, false);
    raw.child.stdin.end();
    const answer = await raw.next(({ id }) => id === 2);
    expect(answer.result?.structuredContent).toMatchObject({ applied: true });
    expect(await raw.exited).toEqual({ code: 0, signal: null });
    expect(await game.text(SCENE)).toBe(content);
    expect(await readdir(path.join(game.root, '.webgal_agent'))).not.toContain('agent.lock');
    expect(raw.stray).toEqual([]);
  });

  it('leaves a file old or new after a signal during a write', async () => {
    const raw = start(['--allow-write']);
    await raw.hello();
    const content = ':长;\n'.repeat(50_000);
    const params = { name: 'replace_in_file', arguments: { path: SCENE, find: '雪乃:你好;\n', replace: content } };
    raw.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    raw.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await raw.next(({ id }) => id === 2);
    raw.child.kill('SIGTERM');
    expect(await raw.exited).toEqual({ code: 0, signal: null });
    expect([FILES[SCENE], `changeBg:beach.jpg;\n${content}end;\n`]).toContain(await game.text(SCENE));
    expect(await readdir(path.join(game.root, '.webgal_agent'))).not.toContain('agent.lock');
  });

  it('refuses a folder without a game with a message on standard error only', async () => {
    await game.dispose();
    game = await createMcpProject({ 'readme.txt': 'nothing here' });
    const raw = start();
    expect(await raw.exited).toEqual({ code: 1, signal: null });
    expect(raw.errors()).toContain('There is no WebGAL game');
    expect(raw.stray).toEqual([]);
  });
});
