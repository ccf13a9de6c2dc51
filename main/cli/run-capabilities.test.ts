import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createCommandLineText } from './command-line-text.ts';
import { readCommand } from './read-command.ts';
import { runCapabilities } from './run-capabilities.ts';

let game: ProjectFolder;
let home: string;
beforeEach(async () => {
  game = await createProjectFolder({ 'game/scene/start.txt': ':你好;\n', 'game/config.txt': 'Game_name:x;\n' });
  home = await mkdtemp(join(tmpdir(), 'capabilities-home-'));
  vi.stubEnv('WEBGAL_AGENT_HOME', home);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await game.dispose();
  await rm(home, { recursive: true, force: true });
});

async function run(...args: string[]) {
  const command = readCommand(['capabilities', ...args]);
  if (command.kind !== 'capabilities') throw new Error(`Read as ${JSON.stringify(command)}.`);
  return runCapabilities(command, createCommandLineText('en'));
}

test('lists and shows capabilities as text and as JSON', async () => {
  const list = await run('list', '--namespace', 'history');
  expect(list).toMatchObject({ problem: expect.stringMatching(/^The app is not running.*\n$/), exitCode: 0 });
  expect(
    list.output
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).slice(0, 4)),
  ).toEqual([
    ['history.snapshot.list', '1.0.0', 'context', 'low'],
    ['history.snapshot.read', '1.1.0', 'context', 'low'],
  ]);
  expect((await run('list')).output).toMatch(/\(20 \/ \d+; --page 2\)/);
  expect(JSON.parse((await run('show', 'project.file.read', '--format', 'json')).output)).toMatchObject({
    ...{ success: true, data: { id: 'project.file.read' } },
  });
});

test('calls a capability of a game, and says why it does not', async () => {
  const read = ['call', 'project.file.read', '{"path":"game/scene/start.txt"}', '--project', game.root];
  expect(JSON.parse((await run(...read)).output)).toMatchObject({ content: ':你好;\n' });
  expect((await run(...read, '--range', '^9.0.0')).problem).toContain('PROTOCOL.VERSION_MISMATCH');
  expect((await run('call', 'project.file.read', 'no', '--project', game.root)).problem).toContain('no valid JSON');
  const write = '{"path":"game/scene/b.txt","content":"x","dryRun":false}';
  const refused = await run('call', 'project.file.write', write, '--project', game.root);
  expect([refused.exitCode, refused.problem]).toEqual([1, expect.stringContaining('--allow-write')]);
  // Each command is a process of its own, so that no dry run can precede it.
  const written = await run('call', 'project.file.write', write, '--project', game.root, '--allow-write');
  expect([written.exitCode, JSON.parse(written.output)]).toMatchObject([0, { applied: true }]);
  expect(await readFile(join(game.root, 'game/scene/b.txt'), 'utf8')).toBe('x');
});

test('a call without a folder needs the running app', async () => {
  const call = await run('call', 'project.file.read', '{"path":"game/scene/start.txt"}');
  expect([call.exitCode, call.problem]).toEqual([1, expect.stringContaining('--project')]);
});

test.each([
  [['fly'], 'is not list, show, call, providers or approvals'],
  [['show'], 'Name a capability'],
  [['call', 'project.file.read', '{}', '--allow-write'], '--project'],
  [['providers', 'more'], 'Too many arguments: more'],
  [['approvals', 'a', 'b'], 'Too many arguments: b'],
  [['list', 'more'], 'Too many arguments: more'],
  [['call', 'a', 'b', 'c', '--project', '.'], 'Too many arguments: c'],
  [['list', '--format', 'sarif'], 'is not a format'],
  [['list', '--unknown'], "Unknown option '--unknown'"],
])('refuses %j', (args, message) => {
  const command = readCommand(['capabilities', ...args]);
  expect([command.kind, 'message' in command && command.message]).toEqual([
    'misused',
    expect.stringContaining(message),
  ]);
});
