import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCommandLineText } from '../../main/cli/command-line-text.ts';
import { readCommand } from '../../main/cli/read-command.ts';
import { runCapabilities } from '../../main/cli/run-capabilities.ts';
import { type Composed, compose } from '../../main/compose.ts';
import { createWebHost } from '../../main/hosts/web/web-host.ts';
import { listenOnLoopback } from '../../main/node/stage/listen-on-loopback.ts';
import { provider as dice } from '../../packages/provider-sdk/examples/dice.ts';
import type { Connection } from '../../packages/provider-sdk/src/index.ts';
import type { PendingApproval } from '../../shared/model/capability/approval.ts';
import { createProjectFolder, type ProjectFolder } from '../support/games/project-folder.ts';

/** `webgal-agent capabilities` beside the app with its real discovery API and gateway. */

const ROOT = join(import.meta.dirname, '..', '..');
/** The program is started from source, which is slow on a busy machine. */
const TIMEOUT_MS = 90_000;

let game: ProjectFolder;
let home: string;
let composed: Composed;
let connection: Connection | undefined;

async function ask<T>(method: string, input: object = {}): Promise<T> {
  const reply = await composed.app.call(method, input);
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value as T;
}

/** Runs the command in this process, which spares the start of the program. */
async function run(...args: string[]) {
  const command = readCommand(['capabilities', ...args]);
  if (command.kind !== 'capabilities') throw new Error(`Read as ${JSON.stringify(command)}.`);
  return runCapabilities(command, createCommandLineText('en'));
}

function runProgram(...args: string[]): Promise<{ output: string; problem: string; exitCode: number }> {
  const env = {
    ...{ WEBGAL_AGENT_HOME: home, PATH: process.env.PATH ?? '' },
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
  };
  return new Promise((resolve) => {
    const program = [join(ROOT, 'main', 'cli.ts'), 'capabilities', ...args];
    execFile(process.execPath, program, { env }, (error, output, problem) => {
      resolve({ output, problem, exitCode: error === null ? 0 : Number(error.code) });
    });
  });
}
const toIds = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/)[0]);

beforeAll(async () => {
  game = await createProjectFolder({ 'game/scene/start.txt': ':你好;\n', 'game/config.txt': 'Game_name:x;\n' });
  home = await mkdtemp(join(tmpdir(), 'command-home-'));
  vi.stubEnv('WEBGAL_AGENT_HOME', home);
  const environment = { ...process.env, WEBGAL_AGENT_HOME: home, WEBGAL_AGENT_KEYCHAIN: 'memory' };
  composed = await compose({ host: createWebHost(), resources: join(home, 'none'), environment });
  await composed.openFolder(game.root);
  const roles = { assistant: 'owner', mcp: null, api: 'owner', providers: { dice: 'owner' } };
  await ask('settings.update', { discoveryApi: true, providerGateway: true, roles });
  const { token } = await ask<{ token: string }>('connections.createToken', { provider: 'dice' });
  await vi.waitFor(async () => {
    if ((await ask<{ gatewayUrl: string | null }>('connections.state')).gatewayUrl === null) throw new Error('Not on.');
    await readFile(join(home, 'api.json'));
  }, 20_000);
  connection = dice.connect({ token, home });
  await connection.ready;
}, TIMEOUT_MS);
afterAll(async () => {
  vi.unstubAllEnvs();
  connection?.close();
  await composed.dispose();
  await game.dispose();
  await rm(home, { recursive: true, force: true });
});

describe('beside the running app', { timeout: TIMEOUT_MS }, () => {
  test('lists, searches and shows what connected programs offer', async () => {
    const list = await runProgram('list', '--namespace', 'ext.dice');
    expect([list.exitCode, list.problem, toIds(list.output)]).toEqual([0, '', ['ext.dice.roll']]);
    expect(toIds((await run('list', '--provider', 'dice', '--type', 'context', '--q', 'roll')).output)).toEqual(
      toIds((await run('list', '--namespace', 'ext', '--type', 'context')).output),
    );
    expect(JSON.parse((await run('show', 'ext.dice.roll', '--format', 'json')).output)).toMatchObject({
      ...{ success: true, data: { id: 'ext.dice.roll', provider: { id: 'dice' } } },
    });
    const providers = (await run('providers')).output.split('\n').map((line) => line.split(/\s+/).slice(0, 3));
    expect(providers).toEqual([['webgal-agent', 'ready', expect.any(String)], ['dice', 'ready', '1'], ['']]);
    expect(await run('list', '--risk', 'cosmic')).toMatchObject({
      exitCode: 1,
      problem: expect.stringContaining('risk'),
    });
  });

  test('calls the open game, as the role of other programs, and not the folder', async () => {
    const read = await run('call', 'project.file.read', '{"path":"game/scene/start.txt"}', '--range', '^1.0.0');
    expect(JSON.parse(read.output)).toMatchObject({ content: ':你好;\n' });
    const write = '{"path":"game/scene/b.txt","content":":x;\\n","dryRun":false}';
    expect(JSON.parse((await run('call', 'project.file.write', write)).output)).toMatchObject({ drafted: true });
    await expect(readFile(join(game.root, 'game/scene/b.txt'))).rejects.toThrow();
    const unknown = await run('call', 'ext.dice.fly/../roll');
    expect([unknown.exitCode, unknown.problem]).toEqual([1, expect.stringContaining('PROTOCOL.CAPABILITY_NOT_FOUND')]);
  });

  test('a call that needs the user waits, and its outcome can be asked for', async () => {
    const call = ['call', 'ext.dice.roll', '{"count":1,"sides":6,"seed":1}'];
    const waiting = await run(...call);
    expect([waiting.exitCode, waiting.output]).toEqual([3, '']);
    const [, id = ''] = /waits for you.* approvals ([\w-]{36})\n$/.exec(waiting.problem) ?? [];
    expect((await run('approvals')).output).toMatch(new RegExp(`^${id} waiting .* ext.dice.roll\n$`));
    const { approvals } = await ask<{ approvals: PendingApproval[] }>('approvals.list');
    expect(approvals).toMatchObject([{ id, caller: { id: 'api', name: 'webgal-agent capabilities' } }]);
    await ask('approvals.answer', { id, answer: 'approve' });
    const outcome = await run('approvals', id, '--format', 'json');
    expect(JSON.parse(outcome.output)).toMatchObject({
      data: { state: 'done', result: { text: expect.stringContaining('"sum"') } },
    });
  });
});

test(
  'a program on another port that has the app answer for it receives no token',
  async () => {
    const file = join(home, 'api.json');
    const text = await readFile(file, 'utf8');
    const { url, token, process } = JSON.parse(text) as { url: string; token: string; process: number };
    const said: string[] = [];
    const proofs: string[] = [];
    const stranger = createServer(async (request, response) => {
      said.push(JSON.stringify(request.rawHeaders), request.url ?? '');
      const answer = await (await fetch(`${url}${request.url}`)).text();
      proofs.push(answer);
      response.end(answer);
    });
    const { port, close } = await listenOnLoopback(stranger);
    try {
      await writeFile(file, JSON.stringify({ url: `http://127.0.0.1:${port}`, token, process }));
      const list = await run('list', '--namespace', 'history');
      expect([list.exitCode, list.problem]).toEqual([0, expect.stringContaining('api.json')]);
      expect(proofs).toEqual([expect.stringMatching(/^\{"proof":"[\w-]{43}"\}$/)]);
      expect(said.join()).not.toContain(token);
    } finally {
      await writeFile(file, text);
      close();
      stranger.close();
    }
    expect((await run('list', '--namespace', 'history')).problem).toBe('');
  },
  TIMEOUT_MS,
);

describe('without a running app', { timeout: TIMEOUT_MS }, () => {
  test('says so and knows what the app itself can do', async () => {
    await ask('settings.update', { discoveryApi: false });
    await expect.poll(() => readFile(join(home, 'api.json'), 'utf8').catch(() => '')).toBe('');
    const list = await run('list', '--namespace', 'history');
    expect([list.exitCode, list.problem]).toEqual([0, expect.stringMatching(/^The app is not running.*\n$/)]);
    expect(toIds(list.output)).toEqual(['history.snapshot.list', 'history.snapshot.read']);
    const call = await run('call', 'ext.dice.roll');
    expect([call.exitCode, call.output, call.problem]).toEqual([1, '', expect.stringContaining('--project')]);
    expect((await run('approvals')).exitCode).toBe(1);
  });

  test('sends the key of a file that is stale, damaged or names another machine nowhere', async () => {
    const heard: string[] = [];
    const said: string[] = [];
    const answers: string[] = [];
    const stranger = createServer((request, response) => {
      heard.push(`${request.method} ${request.url?.split('?')[0]}`);
      said.push(JSON.stringify(request.rawHeaders), request.url ?? '');
      response.end(answers.shift());
    });
    const { port, close } = await listenOnLoopback(stranger);
    const token = 'x'.repeat(43);
    const url = `http://127.0.0.1:${port}`;
    try {
      for (const text of [
        '{',
        JSON.stringify({ url: 'http://192.0.2.1:80', token, process: process.pid }),
        JSON.stringify({ url: `${url}@192.0.2.1`, token, process: process.pid }),
        // Of a process that ended: no process has this number.
        JSON.stringify({ url, token, process: 2 ** 30 }),
      ]) {
        await writeFile(join(home, 'api.json'), text);
        const list = await run('list', '--namespace', 'history');
        expect([list.exitCode, list.problem]).toEqual([0, expect.stringContaining('api.json')]);
      }
      expect(heard).toEqual([]);
      // Another program took the port: it is greeted, and told nothing of the call.
      await writeFile(join(home, 'api.json'), JSON.stringify({ url, token, process: process.pid }));
      const claim = { success: true, data: { status: 'ready' }, metadata: { serverId: 'webgal-agent' } };
      for (const proof of [undefined, '', 'x'.repeat(43), token]) {
        answers.push(JSON.stringify({ ...claim, ...(proof !== undefined && { proof }) }));
        const call = await run('call', 'project.file.read', '{"path":"secret"}');
        expect([call.exitCode, call.problem]).toEqual([1, expect.stringContaining('api.json')]);
      }
      expect(heard).toEqual(Array(4).fill('GET /api/v1/greeting'));
      expect(said.join()).not.toContain(token);
    } finally {
      close();
      stranger.close();
    }
  });
});
