import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CREDENTIAL_DIRS } from '../../shared/paths/portable-name.ts';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { findBrowser } from '../../tests/support/window/browser.ts';
import type { ConfirmQuestion } from '../core/capability/runner/confirm.ts';
import type { ToolRuntime } from '../core/capability/tool-runtime.ts';
import type { Commands } from '../core/ports/commands.ts';
import type { LocalBrowser } from '../core/ports/local-browser.ts';
import { createHeadlessBrowser } from '../node/browser/headless-browser.ts';
import { createScreenshotFolder } from '../node/browser/screenshot-folder.ts';
import { createCommands } from '../node/process/commands.ts';
import { createAgentFolder } from '../node/project-fs/agent-folder.ts';
import { browserAction } from './browser-action.ts';
import { executeCommand } from './execute-command.ts';
import { getRuntimeInfo } from './get-runtime-info.ts';
import { listBackgroundTasks } from './list-background-tasks.ts';
import { stopBackgroundTask } from './stop-background-task.ts';

const SERVER =
  "require('http').createServer((q,r)=>r.end('<title>Served</title>')).listen(0,'127.0.0.1',function(){console.log('ready http://localhost:'+this.address().port+'/')})";
const node = (script: string) => `"${process.execPath}" -e "${script}"`;
const manifest = (scripts: Record<string, unknown>) => JSON.stringify({ name: 'game', scripts });

let game: ProjectFolder;
let commands: Commands;
let browser: LocalBrowser;
let asked: ConfirmQuestion[];
let answer: () => boolean | Promise<boolean>;
let bench: ReturnType<typeof createToolBench>;

function createBench(developerMode = true, leaves: ToolRuntime['leaves'] = undefined) {
  const tools = [browserAction, executeCommand, getRuntimeInfo, listBackgroundTasks, stopBackgroundTask];
  const runtime: ToolRuntime = {
    projectRoot: game.root,
    server: { name: 'webgal-agent', version: '1.2.3-beta' },
    tools: () => tools.filter(({ name }) => bench.runner.list('act').some((tool) => tool.name === name)),
    developerMode: () => developerMode,
    closedFolders: () => ['private', '.git'],
    ...(leaves && { leaves }),
  };
  const { reader, snapshots } = game;
  return createToolBench(
    tools,
    { reader, snapshots, commands, browser, runtime },
    {
      developerMode,
      async confirm(question) {
        asked.push(question);
        return answer();
      },
    },
  );
}

beforeEach(async () => {
  game = await createProjectFolder({
    'package.json': manifest({ dev: node(SERVER), build: 'echo Build complete', prebuild: 'echo hacked > hacked.txt' }),
  });
  commands = createCommands({ root: game.root, reader: game.reader, environment: process.env });
  browser = createHeadlessBrowser({
    environment: process.env,
    screenshots: createScreenshotFolder(createAgentFolder(game.root)),
    program: await findBrowser(),
  });
  asked = [];
  answer = () => true;
  bench = createBench();
});
afterEach(async () => {
  await Promise.all([commands.close(), browser.close()]);
  await game.dispose();
});

describe('execute_command', () => {
  test('runs the script that was shown, asks again for another text, and runs no pre and post scripts', async () => {
    const done = { ok: true, logs: ['Build complete'], exitCode: 0 };
    expect(await bench.value('execute_command', { scriptName: 'build' })).toEqual(done);
    expect(asked.map(({ tool, detail, summary }) => [tool, detail, summary.en])).toEqual([
      ['execute_command', 'echo Build complete', 'Run the script build'],
    ]);
    expect(await game.text('hacked.txt')).toBeNull();
    await game.put('package.json', manifest({ build: 'echo other' }));
    answer = () => false;
    expect(await bench.code('execute_command', { scriptName: 'build' })).toBe('E_POLICY_VIOLATION');
    expect(asked.at(-1)?.detail).toBe('echo other');
    expect(bench.lines.at(-1)).toMatchObject({ tool: 'execute_command', ok: false, commands: [] });
    expect(bench.lines.at(0)).toMatchObject({ ok: true, commands: ['build: echo Build complete'] });
  });

  test('does not run a script that changes while the user reads it', async () => {
    answer = async () => {
      await game.put('package.json', manifest({ build: 'echo hacked > hacked.txt' }));
      return true;
    };
    expect(await bench.code('execute_command', { scriptName: 'build' })).toBe('E_CONFLICT');
    expect(await game.text('hacked.txt')).toBeNull();
  });

  test('shows arguments with the script and quotes them', async () => {
    const args = ['; echo hacked > hacked.txt', '$(id)'];
    const { logs } = (await bench.value('execute_command', { scriptName: 'build', args })) as { logs: string[] };
    expect(logs).toEqual(['Build complete ; echo hacked > hacked.txt $(id)']);
    expect(asked[0]?.detail).toBe(`echo Build complete\n"; echo hacked > hacked.txt"\n"$(id)"`);
    expect(await game.text('hacked.txt')).toBeNull();
  });

  test('returns the output of a failing script with keys redacted', async () => {
    await game.put('package.json', manifest({ build: `echo API_KEY=abcdef123456 && exit 2` }));
    const outcome = await bench.value('execute_command', { scriptName: 'build' });
    expect(outcome).toEqual({ ok: false, logs: ['[redacted]'], exitCode: 2 });
  });

  test.each([
    ['{', 'E_PARSE_FAIL'],
    ['[]', 'E_NOT_FOUND'],
    ['null', 'E_NOT_FOUND'],
    [manifest({ lint: 'x' }), 'E_NOT_FOUND'],
    [manifest({ build: 5 }), 'E_NOT_FOUND'],
    [manifest({ build: ' ' }), 'E_NOT_FOUND'],
    [manifest({ build: 'surely-no-such-program' }), 'E_UNSUPPORTED'],
    [manifest({ build: 'echo fine \u202e# md.exe' }), 'E_POLICY_VIOLATION'],
    [manifest({ build: 'echo a\necho b' }), 'E_POLICY_VIOLATION'],
    [manifest({ build: 'echo \u200b' }), 'E_POLICY_VIOLATION'],
  ])('answers a package.json %s with %s', async (text, code) => {
    await game.put('package.json', text);
    expect(await bench.code('execute_command', { scriptName: 'build' })).toBe(code);
  });

  test.each([
    [{ scriptName: 'not-whitelisted' }],
    [{ scriptName: '__proto__' }],
    [{ scriptName: 'prebuild' }],
    [{ scriptName: 'build; rm -rf /' }],
    [{ scriptName: 'build', args: 'x'.repeat(300) }],
    [{ scriptName: 'build', cwd: '/' }],
    [{}],
  ])('refuses %j with E_BAD_ARGS', async (input) => {
    expect(await bench.code('execute_command', input)).toBe('E_BAD_ARGS');
    expect(await game.text('hacked.txt')).toBeNull();
  });

  test.each(['a\nb', '\u202e', '\ud800', '\0'])('refuses the argument %j, which cannot be displayed', async (word) => {
    expect(await bench.code('execute_command', { scriptName: 'build', args: [word] })).toBe('E_BAD_ARGS');
    expect(asked).toEqual([]);
  });

  test('ignores a draft of package.json', async () => {
    const draft = {
      ...game.reader,
      read: async () => ({ path: 'package.json', text: manifest({ build: 'echo draft' }), version: '', bytes: 1 }),
    };
    const tools = createToolBench(
      [executeCommand],
      { reader: draft, commands },
      { developerMode: true, confirm: async () => true },
    );
    expect(await tools.value('execute_command', { scriptName: 'build' })).toMatchObject({ logs: ['Build complete'] });
  });

  test('is not available outside developer mode', async () => {
    bench = createBench(false);
    expect(bench.runner.list('act').map((tool) => tool.name)).toEqual(['get_runtime_info']);
    for (const [tool, input] of [
      ['execute_command', { scriptName: 'build' }],
      ['browser_action', { action: 'open', url: 'http://localhost:1/' }],
      ['list_background_tasks', {}],
      ['stop_background_task', { task: 'x' }],
    ] as const)
      expect(await bench.code(tool, input)).toBe('E_TOOL_DISABLED');
    expect(asked).toEqual([]);
  });
});

test('runs a server in the background, opens it in a real browser, and stops it', async () => {
  const served = (await bench.value('execute_command', { scriptName: 'dev' })) as { task: string; url: string };
  expect(served).toMatchObject({ ok: true, url: expect.stringMatching(/^http:\/\/localhost:\d+\/$/) });
  const { tasks } = (await bench.value('list_background_tasks', {})) as { tasks: object[] };
  expect(tasks).toEqual([
    {
      ...{
        task: served.task,
        scriptName: 'dev',
        command: node(SERVER),
        running: true,
        exitCode: null,
        url: served.url,
      },
      ...{ pid: expect.any(Number), startedAt: expect.any(Number), logs: [`ready ${served.url}`] },
    },
  ]);
  const opened = await bench.value('browser_action', { action: 'open', url: served.url });
  expect(opened).toEqual({ ok: true, url: served.url, title: 'Served' });
  const shot = await bench.value('browser_action', { action: 'screenshot', path: '.webgal_agent/screenshots/a.png' });
  expect(shot).toEqual({ ok: true, path: '.webgal_agent/screenshots/a.png' });
  expect((await game.text('.webgal_agent/screenshots/a.png'))?.slice(1, 4)).toBe('PNG');
  expect(await bench.value('stop_background_task', { task: served.task })).toMatchObject({ ok: true });
  await expect(fetch(served.url)).rejects.toThrow();
  expect(await bench.code('stop_background_task', { task: 'another' })).toBe('E_NOT_FOUND');
}, 60_000);

describe('browser_action', () => {
  test.each([
    ...['http://example.com', 'https://google.com', 'http://192.168.1.1', 'http://localhost@evil.com'],
    ...[
      'http://localhost.evil.com',
      'http://127.0.0.1.evil.com/',
      'http://localhost:80@evil.com/',
      'http://2130706433/',
    ],
    ...[
      'http://0x7f.1/',
      'file:///etc/passwd',
      'data:text/html,x',
      'view-source:http://localhost/',
      'javascript:1',
      '',
    ],
    ...['http://localhost\\@evil.com/', ' http://localhost/', 'http://localhost/\n', 'HTTP://LOCALHOST/'],
  ])('refuses to open %s', async (url) => {
    expect(await bench.code('browser_action', { action: 'open', url })).toBe('E_BAD_ARGS');
  });

  test.each([
    [{ action: 'click' }, 'E_BAD_ARGS'],
    [{ action: 'open' }, 'E_BAD_ARGS'],
    [{ action: 'screenshot' }, 'E_BAD_ARGS'],
    [{ action: 'type', selector: 'x' }, 'E_BAD_ARGS'],
    [{ action: 'click', selector: 'a >> xpath=//b' }, 'E_BAD_ARGS'],
    [{ action: 'click', selector: '#a' }, 'E_BAD_ARGS'],
    [{ action: 'screenshot', path: '../x.png' }, 'E_DENY_PATH'],
    [{ action: 'screenshot', path: '/tmp/x.png' }, 'E_DENY_PATH'],
    [{ action: 'screenshot', path: 'game/figure/a.png' }, 'E_DENY_PATH'],
    [{ action: 'screenshot', path: '.webgal_agent/audit.jsonl' }, 'E_DENY_PATH'],
    [{ action: 'screenshot', path: '.webgal_agent/screenshots/../audit.jsonl' }, 'E_DENY_PATH'],
    [{ action: 'screenshot', path: 'con.png' }, 'E_DENY_PATH'],
    [{ action: 'screenshot', path: '.hidden' }, 'E_DENY_PATH'],
  ])('refuses %j with %s', async (input, code) => {
    expect(await bench.code('browser_action', input)).toBe(code);
  });
});

describe('get_runtime_info', () => {
  test('returns the limits, with each folder once', async () => {
    const names = [
      'browser_action',
      'execute_command',
      'get_runtime_info',
      'list_background_tasks',
      'stop_background_task',
    ];
    expect(await bench.value('get_runtime_info', {})).toEqual({
      projectRoot: game.root,
      snapshotRetention: 20,
      sandbox: {
        forbiddenDirs: ['.git', 'node_modules', '.env', '.webgal_agent', ...CREDENTIAL_DIRS, 'private'],
        maxReadBytes: 5 * 1024 * 1024,
        textEncoding: 'utf-8',
      },
      execution: {
        ...{ enabled: true, allowedCommands: ['dev', 'build', 'lint'], timeoutMs: 180_000, workingDir: game.root },
      },
      browser: {
        enabled: true,
        allowedHosts: ['localhost', '127.0.0.1'],
        timeoutMs: 15_000,
        screenshotDir: '.webgal_agent/screenshots',
      },
      tools: names,
      toolVersions: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
      contractVersion: '1.0.0',
      server: { name: 'webgal-agent', version: '1.2.3' },
    });
  });

  test('returns only the scripts and sizes that the policy file allows', async () => {
    bench = createBench(true, () => ({ allowedCommands: ['lint', 'deploy'], maxReadBytes: 1000 }));
    expect(await bench.value('get_runtime_info', {})).toMatchObject({
      sandbox: { maxReadBytes: 1000 },
      execution: { allowedCommands: ['lint'] },
    });
  });

  test('returns neither block outside developer mode', async () => {
    bench = createBench(false);
    const info = (await bench.value('get_runtime_info', {})) as Record<string, unknown>;
    expect(Object.keys(info)).toEqual([
      ...['projectRoot', 'snapshotRetention', 'sandbox', 'tools', 'toolVersions', 'contractVersion', 'server'],
    ]);
    expect(info.tools).toEqual(['get_runtime_info']);
    expect(await bench.code('get_runtime_info', { verbose: true })).toBe('E_BAD_ARGS');
  });
});
