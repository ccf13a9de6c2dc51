import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handToDesktopUser, startDisplay } from '../../support/window/desktop.ts';
import { pressInDialog } from '../../support/window/x-display.ts';
import { expect, readDesktop, test } from '../fixtures.ts';

test.setTimeout(120_000);
// biome-ignore lint/suspicious/noSkippedTests: the dialog is controlled over the X protocol
test.skip(process.platform !== 'linux', 'The dialog is found on an X display.');

let folder: string;
/** Used by one test at a time: every window on it belongs to that test. */
let display: Awaited<ReturnType<typeof startDisplay>>;

test.beforeEach(async () => {
  process.umask(0);
  folder = await mkdtemp(join(tmpdir(), 'webgal-agent-failed-'));
  await mkdir(join(folder, 'temporary'));
  display = await startDisplay();
});
test.afterEach(async () => {
  display?.process.kill();
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

function start(entry: string, args: string[] = []): { child: ChildProcess; exitCode: Promise<number | null> } {
  const { program } = readDesktop();
  const child = spawn(program, [entry, ...args], {
    env: {
      ...process.env,
      DISPLAY: display.name,
      HOME: folder,
      TMPDIR: join(folder, 'temporary'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      WEBGAL_AGENT_HOME: join(folder, 'data'),
      LC_ALL: 'en_US.UTF-8',
    },
    stdio: 'ignore',
  });
  return { child, exitCode: new Promise((resolve) => child.once('exit', resolve)) };
}

/** Creates a copy of the built app whose application module cannot be loaded. */
async function breakBuild(): Promise<string> {
  const { out } = readDesktop();
  const copy = join(folder, 'out');
  await cp(out, copy, { recursive: true });
  await cp(join(out, '..', 'package.json'), join(folder, 'package.json'));
  const entry = join(copy, 'main', 'electron.js');
  const application = /import\(["`]\.\/(.+?)["`]\)/.exec(await readFile(entry, 'utf8'))?.[1] ?? '';
  expect(application).toMatch(/^shared-/);
  await writeFile(join(copy, 'main', application), 'throw new Error("broken on purpose");');
  return entry;
}

test('shows a dialog that names the log and exits with 1 when the start fails', async () => {
  const entry = await breakBuild();
  handToDesktopUser(folder);
  const { child, exitCode } = start(entry);
  try {
    await pressInDialog(display.name, 'Return');
    expect(await exitCode).toBe(1);
  } finally {
    child.kill('SIGKILL');
  }
  expect(await readFile(join(folder, 'data', 'logs', 'desktop.log'), 'utf8')).toContain('[start]');
});

test('reports a data folder that is not writable and logs to another folder', async () => {
  await mkdir(join(folder, 'data'));
  handToDesktopUser(folder);
  execFileSync('chown', ['0:0', join(folder, 'data')]);
  await chmod(join(folder, 'data'), 0o555);
  const { child, exitCode } = start(join(readDesktop().out, 'main', 'electron.js'));
  try {
    await pressInDialog(display.name, 'Return');
    expect(await exitCode).toBe(1);
  } finally {
    child.kill('SIGKILL');
  }
  const log = await readFile(join(folder, 'temporary', 'webgal-agent-logs', 'desktop.log'), 'utf8');
  expect(log).toContain('EACCES');
  expect(log).not.toContain(folder);
});

test('offers safe mode after two failed starts and shows that it is on', async () => {
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', 'starts.json'), '{"unfinished":2}');
  handToDesktopUser(folder);
  const { child, exitCode } = start(join(readDesktop().out, 'main', 'electron.js'));
  const log = () => readFile(join(folder, 'data', 'logs', 'desktop.log'), 'utf8').catch(() => '');
  let second = 0;
  try {
    await pressInDialog(display.name, 'Return');
    await exitCode;
    await expect.poll(log, { timeout: 40_000 }).toMatch(/process \d+, safe mode/);
    second = Number(/process (\d+), safe mode/.exec(await log())?.[1] ?? 0);
    // The page is shown, so the count was reset.
    await expect
      .poll(() => readFile(join(folder, 'data', 'starts.json'), 'utf8').catch(() => null), { timeout: 40_000 })
      .toBe(null);
  } finally {
    child.kill('SIGKILL');
    if (second) process.kill(second, 'SIGKILL');
  }
});
