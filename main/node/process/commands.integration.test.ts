import { spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Commands } from '../../core/ports/commands.ts';
import { createReader } from '../project-fs/project-files.ts';
import { toChildEnvironment } from './child-environment.ts';
import { createCommands } from './commands.ts';
import { createOutputTail } from './output-tail.ts';

const { signal } = new AbortController();
const isPosix = process.platform !== 'win32';
let root: string;
let commands: Commands;

const create = (more: { timeout?: number; readyTimeout?: number } = {}) =>
  createCommands({
    root,
    reader: createReader(root),
    environment: { ...process.env, DEEPSEEK_API_KEY: 'CANARY-key', NODE_OPTIONS: '' },
    ...more,
  });
const run = (command: string, more: { args?: string[]; wait?: 'end' | 'ready' | 'none' } = {}) =>
  commands.run({ name: 'build', command, args: [], wait: 'end', signal, ...more });
const node = (script: string) => `"${process.execPath}" -e "${script}"`;

/** Returns whether a process runs. A zombie process counts as dead. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) Z /.test(status);
}

async function readPid(file: string): Promise<number> {
  for (let tries = 0; tries < 2000; tries++) {
    const text = await readFile(path.join(root, file), 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    await sleep(10);
  }
  throw new Error(`${file} was not written`);
}

/** Runs a script that writes `child.pid`, stops it then, and returns that process id. */
async function stopOnceStarted(command: string): Promise<number> {
  const stop = new AbortController();
  const running = commands.run({ name: 'x', command, args: [], wait: 'end', signal: stop.signal });
  const pid = await readPid('child.pid');
  stop.abort();
  await expect(running).rejects.toThrow();
  return pid;
}

async function untilDead(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 2000 && (await isAlive(pid)); tries++) await sleep(10);
  return !(await isAlive(pid));
}

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'commands-')));
  commands = create();
});
afterEach(async () => {
  await commands.close();
  await rm(root, { recursive: true, force: true });
});

describe('a script in the foreground', () => {
  test('returns its exit code and its plain output', async () => {
    const script = "console.log('\\u001b[31mred\\u001b[0m 雪'); console.error(process.cwd()); process.exit(3)";
    const task = await run(node(script));
    expect(task).toMatchObject({ name: 'build', running: false, exitCode: 3, url: null, command: node(script) });
    expect(task.logs).toEqual(['red 雪', '.']);
  });

  test('decodes characters that arrive in chunks, with output on both streams', async () => {
    await writeFile(
      path.join(root, 'pieces.js'),
      `const bytes = Buffer.from('雪乃\\n');
      const next = () => setTimeout(() => {
        if (sent === bytes.length) return;
        process.stdout.write(bytes.subarray(sent, sent += 1));
        process.stderr.write('.');
        next();
      }, 20);
      let sent = 0;
      next();`,
    );
    const { logs } = await run(`"${process.execPath}" pieces.js`);
    expect(logs.join('').replaceAll('.', '')).toBe('雪乃');
  });

  test('passes on only the allowed part of the environment', async () => {
    const { logs } = await run(node('console.log(Object.keys(process.env).join(), JSON.stringify(process.env))'));
    expect(logs.join()).not.toContain('CANARY');
    const names = logs[0]?.split(' ')[0]?.split(',') ?? [];
    expect(names.filter((name) => /key|token|secret|pass|api/i.test(name))).toEqual([]);
    expect(names).toContain('PATH');
  });

  test.skipIf(!isPosix)('passes arguments as single words, whatever characters they contain', async () => {
    const args = ['a b', "it's", '$(touch hacked)', '`touch hacked`', ';touch hacked', '&&', '-x', '', '*', '雪'];
    const { logs } = await run(node('console.log(JSON.stringify(process.argv.slice(1)))'), { args: ['--', ...args] });
    expect(JSON.parse(logs.join(''))).toEqual(args);
    await expect(readFile(path.join(root, 'hacked'))).rejects.toMatchObject({ code: 'ENOENT' });
    for (const bad of ['a\nb', 'a\0b', '\u001b[31m'])
      await expect(run('echo', { args: [bad] })).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
  });

  test('lists the scripts as they were at the start, even when the file changes', async () => {
    let text = 'first';
    const reader = { read: async (at: string) => ({ path: at, text, version: '', bytes: 0 }) };
    const own = createCommands({ root, reader, environment: process.env });
    text = 'second';
    expect([await own.manifestAtStart(), await own.manifest()]).toEqual(['first', 'second']);
    const none = createCommands({ root, reader: { read: () => Promise.reject(new Error('none')) }, environment: {} });
    expect(await none.manifestAtStart()).toBe(null);
    await Promise.all([own.close(), none.close()]);
  });

  test('reports a program that is not installed', async () => {
    await expect(run('surely-no-such-program --now')).rejects.toMatchObject({
      code: 'E_UNSUPPORTED',
      hint: expect.stringContaining('Node.js'),
    });
  });

  test.skipIf(!isPosix)('ends all its processes on a timeout and on Stop', async () => {
    // Long enough for a shell to start on a busy machine.
    commands = create({ timeout: 1500 });
    const script = 'sleep 60 & echo $! > child.pid; echo before; sleep 60';
    await expect(run(script)).rejects.toMatchObject({ code: 'E_TIMEOUT', details: { logs: ['before'] } });
    expect(await untilDead(await readPid('child.pid'))).toBe(true);
    await rm(path.join(root, 'child.pid'));
    commands = create();
    expect(await untilDead(await stopOnceStarted(script))).toBe(true);
    expect(commands.tasks().map((task) => task.running)).toEqual([false]);
  });

  test.skipIf(!isPosix)('ends the processes that it leaves running', async () => {
    expect((await run('sleep 60 & echo $! > child.pid')).exitCode).toBe(0);
    expect(await untilDead(await readPid('child.pid'))).toBe(true);
  });

  test.skipIf(process.platform !== 'linux')(
    'also ends a process that left the group or ignores signals',
    async () => {
      const script = `setsid sh -c 'trap "" TERM; echo $$ > child.pid; sleep 60; sleep 60' & trap "" TERM; sleep 60; sleep 60`;
      expect(await untilDead(await stopOnceStarted(script))).toBe(true);
    },
    90_000,
  );

  test.skipIf(process.platform !== 'linux')(
    'also ends a process that left the group and cleared its environment',
    async () => {
      const script = `env -i setsid /bin/sh -c 'echo $$ > child.pid; /bin/sleep 60; /bin/sleep 60' </dev/null >/dev/null 2>&1 & while [ ! -s child.pid ]; do sleep 0.02; done`;
      expect((await run(script)).exitCode).toBe(0);
      expect(await untilDead(await readPid('child.pid'))).toBe(true);
    },
  );

  test.skipIf(!isPosix)('keeps a script body with unbalanced quotes from leaving its shell', async () => {
    expect((await run('echo "$1" "$0" \'')).exitCode).not.toBe(0);
    expect((await run(') & echo out')).exitCode).not.toBe(0);
  });
});

describe('a task in the background', () => {
  const SERVER =
    "require('http').createServer((q,r)=>r.end('ok')).listen(0,'127.0.0.1',function(){console.log('ready http://localhost:'+this.address().port+'/')})";

  test('reports a server once it is reachable, lists it, and stops it', async () => {
    const task = await run(node(SERVER), { wait: 'ready' });
    expect(task).toMatchObject({
      running: true,
      exitCode: null,
      url: expect.stringMatching(/^http:\/\/localhost:\d+\/$/),
    });
    expect(await (await fetch(task.url ?? '')).text()).toBe('ok');
    expect(commands.tasks()).toEqual([task]);
    expect(await commands.stop(task.id)).toMatchObject({ id: task.id, running: false });
    expect(await untilDead(task.pid)).toBe(true);
    await expect(commands.stop('no-such')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    expect(await commands.stop(task.id)).toMatchObject({ running: false });
  });

  test('reports no server when the script ends at once, and continues a silent script', async () => {
    expect(await run('echo "http://localhost:3001"', { wait: 'ready' })).toMatchObject({ running: false, exitCode: 0 });
    commands = create({ readyTimeout: 200 });
    const task = await run(node('setTimeout(() => {}, 60000)'), { wait: 'ready' });
    expect(task).toMatchObject({ running: true, url: null });
    expect(await run('echo http://localhost.evil.com/ http://127.0.0.1.evil.com http://localhost@evil')).toMatchObject({
      url: null,
    });
  });

  test('limits the number of tasks, and starts none after close', async () => {
    const sleeper = node('setTimeout(() => {}, 60000)');
    const tasks = [];
    for (let count = 0; count < 5; count++) tasks.push(await run(sleeper, { wait: 'none' }));
    await expect(run(sleeper, { wait: 'none' })).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
    await commands.close();
    for (const { pid } of tasks) expect(await untilDead(pid)).toBe(true);
    await expect(run('echo')).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  });

  test.skipIf(!isPosix)('ends when its host is killed', async () => {
    const host = path.join(root, 'host.ts');
    const module = path.join(import.meta.dirname, 'commands.ts');
    await writeFile(
      host,
      `import { createCommands } from ${JSON.stringify(module)};
       const commands = createCommands({ root: ${JSON.stringify(root)}, reader: { read: async () => { throw new Error() } }, environment: process.env });
       await commands.run({ name: 'dev', command: 'echo $$ > leader.pid; sleep 60 & echo $! > child.pid; wait',
         args: [], wait: 'none', signal: new AbortController().signal });
       setInterval(() => {}, 1000);`,
    );
    const child = spawn(process.execPath, [host], { stdio: 'ignore' });
    const pids = [await readPid('leader.pid'), await readPid('child.pid')];
    child.kill('SIGKILL');
    for (const pid of pids) expect(await untilDead(pid)).toBe(true);
  });
});

describe('createOutputTail', () => {
  test('keeps the last whole lines and says that earlier ones are gone', () => {
    const tail = createOutputTail(20);
    for (let line = 0; line < 100; line++) tail.add(`line ${line}\n`);
    expect(tail.lines()).toEqual(['[earlier lines are left out]', 'line 98', 'line 99']);
  });

  test('handles overwritten lines, colours and control characters', () => {
    const tail = createOutputTail(1000);
    for (const letter of '雪乃\r\n10%\r50%\r\n\u001b[1;31mbad\u001b[0m\u0007\u202e x\ty') tail.add(letter);
    expect(tail.lines()).toEqual(['雪乃', '50%', 'bad x  y']);
  });
});

test('toChildEnvironment passes on only the allowed variables', () => {
  const own = {
    PATH: '/bin',
    HOME: '/home/x',
    AWS_SECRET: 's',
    OPENAI_API_KEY: 'k',
    LD_PRELOAD: '/x.so',
    NODE_OPTIONS: '-r x',
  };
  const child = toChildEnvironment(own, ['/first']);
  expect(Object.keys(child).sort()).toEqual(['HOME', 'PATH']);
  expect(child.PATH?.startsWith(`/first${path.delimiter}/bin`)).toBe(true);
});
