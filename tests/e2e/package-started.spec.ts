import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { handToDesktopUser, stageProgram } from '../support/window/desktop.ts';
import { findPaintedPage, type StartedElectron, startElectron } from '../support/window/painted-page.ts';
import { readTestPackage } from '../support/window/test-package.ts';
import { expect, test } from './fixtures.ts';

/** Starts the shipped program without a debugger in its main process and tries what the fuses disable. */
test.describe.configure({ mode: 'default', timeout: 180_000 });

/** Generous, because `desktop/launch.spec.ts` tests the time of the first paint. */
const START_TIMEOUT_MS = 60_000;

let home: string;
let running: StartedElectron[] = [];

test.beforeEach(async () => {
  process.umask(0);
  home = await mkdtemp(join(tmpdir(), 'webgal-agent-started-'));
  handToDesktopUser(home);
  running = [];
});
test.afterEach(async () => {
  for (const { stop, exitCode } of running) {
    stop();
    await exitCode;
  }
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

function start(program: string, args: string[] = [], more: Record<string, string> = {}): StartedElectron {
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), WEBGAL_AGENT_HOME: join(home, 'data') };
  const started = startElectron(
    program,
    args,
    { ...process.env, ...env, WEBGAL_AGENT_KEYCHAIN: 'memory', ...more },
    START_TIMEOUT_MS,
  );
  running.push(started);
  return started;
}

async function readStarters(): Promise<{ shipped: string; twin: string }> {
  const { start: starters } = await readTestPackage();
  if (!starters) throw new Error('There is no Electron on this machine to package.');
  return starters;
}

test('paints its page and logs the Electron version', async () => {
  const { electronVersion } = await readTestPackage();
  const { shipped } = await readStarters();
  expect(await findPaintedPage(start(shipped), START_TIMEOUT_MS)).toBe('app://webgal-agent/');
  const log = await readFile(join(home, 'data', 'logs', 'desktop.log'), 'utf8');
  expect(log).toContain(`Electron ${electronVersion}`);
});

test('starts as the app with ELECTRON_RUN_AS_NODE', async () => {
  const { shipped } = await readStarters();
  const started = start(shipped, [], { ELECTRON_RUN_AS_NODE: '1' });
  expect(await findPaintedPage(started, START_TIMEOUT_MS)).toBe('app://webgal-agent/');
});

test('accepts no debugger in the main process, unlike the twin', async () => {
  const { shipped, twin } = await readStarters();
  const debugged = start(twin, ['--inspect=0']);
  expect(await findPaintedPage(debugged, START_TIMEOUT_MS)).not.toBeNull();
  expect(debugged.printed()).toContain('Debugger listening on');
  debugged.stop();
  await debugged.exitCode;

  const started = start(shipped, ['--inspect=0']);
  expect(await findPaintedPage(started, START_TIMEOUT_MS)).not.toBeNull();
  // Node opens its inspector on this signal.
  if (process.platform !== 'win32') started.child.kill('SIGUSR1');
  await expect(findPaintedPage(started, START_TIMEOUT_MS)).resolves.not.toBeNull();
  expect(started.printed()).not.toContain('Debugger listening on');
});

const replacesArchive = async (): Promise<void> => {
  const { program } = await readTestPackage();
  const folder = join(dirname(dirname(dirname(program))), 'without-archive');
  execFileSync('cp', ['-al', dirname(program), folder]);
  const resources = join(folder, 'resources');
  await rm(join(resources, 'app.asar'));
  await mkdir(join(resources, 'app'));
  await writeFile(join(resources, 'app', 'package.json'), '{ "name": "intruder", "main": "main.js" }');
  await writeFile(join(resources, 'app', 'main.js'), "console.log('the intruder ran'); process.exit(7);");
  const launcher = await stageProgram(join(folder, basename(program)), join(dirname(folder), 'start-without-archive'));
  const started = start(launcher);
  expect(await findPaintedPage(started, START_TIMEOUT_MS)).toBeNull();
  expect(started.printed()).not.toContain('the intruder ran');
};
// Programs can be copied with hard links on Linux only.
if (process.platform === 'linux') test('does not run an app in place of the archive', replacesArchive);
