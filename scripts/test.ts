import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { launchBrowser } from '../tests/support/window/browser.ts';
import { findDesktopSupport } from '../tests/support/window/desktop.ts';
import { DEADLINE_VARIABLE, LEFT_OUT } from '../tests/support/window/time-left.ts';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules', '.bin');
/** Variable that is set to 1 where a run without the desktop tests must fail. */
const REQUIRE_WINDOW = 'WEBGAL_AGENT_REQUIRE_WINDOW';

/** How many minutes a run takes at most, where it is limited; see `time-left.ts`. */
const MINUTES = 'WEBGAL_AGENT_TEST_MINUTES';
const startedAt = Date.now();

/** Stories that only one host runs, and why; every other story runs in each host. */
const FOR_ONE_HOST = {
  web: 'only on the web host, about its server and session, about what only a browser allows, and about the engine’s page alone',
  desktop: 'only in the desktop window, about the window, its menus, the system and the main process',
};

interface Count {
  passed: number;
  failed: number;
  /** What failed, by name: printed last, because a long output may be kept only in part. */
  failures?: string[];
}

interface Step {
  name: string;
  command: string[];
  env?: Record<string, string>;
  /** True: prints the step's output while it runs, not only when it fails. */
  isVerbose?: boolean;
  /** Reads the step's test report; a step without one counts as one test. */
  count?: () => Promise<Count>;
}

/** What is read of a report of Vitest, which has Jest's shape. */
interface UnitReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: UnitResult[] }[];
}

/** `failureMessages` of a test that passed are those of its first attempt. */
interface UnitResult {
  status: string;
  fullName: string;
  failureMessages: string[];
}

/** What is read of a report of Playwright. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
  suites: Suite[];
}

interface Suite {
  specs?: {
    ok: boolean;
    file: string;
    line: number;
    title: string;
    tests: { annotations: { description?: string }[]; results: { error?: { message?: string } }[] }[];
  }[];
  suites?: Suite[];
}

/** Runs all tests. The last line is always `N passed, N failed`. */
async function test(reports: string, isQuick: boolean): Promise<Count> {
  const tsc = (name: string, config: string): Step => ({
    name: `types: ${name}`,
    command: ['tsc', '-p', config, '--noEmit'],
  });
  const vitest = (file: string, name: string, args: string[]): Step => {
    const report = join(reports, `${file}.json`);
    return {
      name,
      command: ['vitest', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      count: () => countUnit(report),
    };
  };
  const unit = vitest('unit', 'unit and contract tests, import walls', ['--project=unit']);
  const integration = vitest('integration', 'tests with programs, browsers and disks', ['--project=integration']);
  const gauntlet = vitest('gauntlet', 'the assistant against scripted services', [
    '--root=.',
    '--config=tests/gauntlet/vitest.config.ts',
  ]);
  const build: Step = { name: 'build', command: ['node', 'scripts/build.ts'] };
  const still = [
    tsc('main, preload, scripts, tests', 'tsconfig.json'),
    tsc('core without a machine', 'tsconfig.core.json'),
    tsc('the oldest Node', 'tsconfig.oldest-node.json'),
    tsc('page', 'tsconfig.renderer.json'),
    tsc('tests of the page', 'tsconfig.page-tests.json'),
    { name: 'lint and format', command: ['biome', 'check', '--error-on-warnings'] },
    { name: 'words, strings, sizes, dead exports', command: ['node', 'scripts/checks/run-checks.ts'] },
  ];
  // For two cores: two steps at a time, except steps that measure time or drive a browser, which run alone.
  const counts = await inPairs(still);
  counts.push(await run(unit));
  if (!isQuick) {
    counts.push(await run(integration), await run(gauntlet));
    const built = await run(build);
    counts.push(built);
    if (built.failed === 0) counts.push(...(await runEndToEndTests(reports)));
  }
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    failures: counts.flatMap(({ failures = [] }) => failures),
  };
}

/** Runs the end-to-end tests for each host. Skips the desktop tests without a window, which is a failure if they are required. */
async function runEndToEndTests(reports: string): Promise<Count[]> {
  const desktop = await findDesktopSupport();
  for (const [folder, reason] of Object.entries(FOR_ONE_HOST)) console.log(`tests/e2e/${folder}: ${reason}`);
  const counts = [
    await run(toPlaywrightStep('web', `tests on the web host (${await readBrowserVersion()})`, reports)),
    await run(toPlaywrightStep('package', 'the package', reports)),
  ];
  if ('runtime' in desktop) {
    const { version, origin } = desktop.runtime;
    counts.push(
      await run(toPlaywrightStep('electron', `tests in the desktop window (Electron ${version}, ${origin})`, reports)),
    );
    return counts;
  }
  const isRequired = process.env[REQUIRE_WINDOW] === '1';
  console.log(`${isRequired ? '✗' : '–'} tests in the desktop window were skipped: ${desktop.missing}`);
  return isRequired ? [...counts, { passed: 0, failed: 1, failures: [desktop.missing] }] : counts;
}

function toPlaywrightStep(project: string, name: string, reports: string): Step {
  const report = join(reports, `${project}.json`);
  return {
    name,
    command: ['playwright', 'test', `--project=${project}`, '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...readDeadline() },
    isVerbose: true,
    count: () => countPlaywrightTests(report),
  };
}

function readDeadline(): Record<string, string> {
  const minutes = Number(process.env[MINUTES] ?? 0);
  return minutes > 0 ? { [DEADLINE_VARIABLE]: String(startedAt + minutes * 60_000) } : {};
}

async function readBrowserVersion(): Promise<string> {
  const browser = await launchBrowser();
  const version = `Chromium ${browser.version()}`;
  await browser.close();
  return version;
}

async function inPairs(steps: Step[]): Promise<Count[]> {
  const waiting = [...steps];
  const counts: Count[] = [];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) counts.push(await run(step));
  };
  await Promise.all([work(), work()]);
  return counts;
}

async function run(step: Step): Promise<Count> {
  const from = performance.now();
  const { code, output } = await execute(step);
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  const count = (await step.count?.()) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  // A runner can fail without a failed test: a crash, a file that does not load, no tests, or no time left for any.
  const failed = count.failed === 0 && (code !== 0 || count.passed === 0) ? 1 : count.failed;
  if (failed > 0 && !step.isVerbose) console.log(output.trimEnd());
  console.log(`${failed > 0 ? '✗' : '✓'} ${step.name} (${step.count ? `${count.passed} passed, ` : ''}${seconds} s)`);
  const failures = failed > 0 ? (count.failures ?? ['']).map((failure) => `${step.name}: ${failure}`) : [];
  return { passed: count.passed, failed, failures };
}

function execute({ command, env, isVerbose }: Step): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const [program = '', ...args] = command;
    const isWindows = process.platform === 'win32';
    const path = program === 'node' ? process.execPath : join(BIN, isWindows ? `${program}.cmd` : program);
    const child = spawn(path, args, {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0', ...env },
      shell: isWindows && program !== 'node',
    });
    let output = '';
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      if (isVerbose) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => resolve({ code: 1, output: `${output}\n${error.message}` }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

async function countUnit(path: string): Promise<Count> {
  const report = await readReport<UnitReport>(path);
  const failures = (report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults
      .filter((result) => result.status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}${toCause(failureMessages[0])}`);
    return status === 'failed' && failed.length === 0 ? [name] : failed;
  });
  for (const { status, fullName, failureMessages } of (report?.testResults ?? []).flatMap(
    (file) => file.assertionResults,
  )) {
    if (status === 'passed' && failureMessages.length > 0) console.log(`– passed only on retry: ${fullName}`);
  }
  return { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0, failures };
}

async function countPlaywrightTests(path: string): Promise<Count> {
  const report = await readReport<PlaywrightReport>(path);
  const { expected = 0, unexpected = 0, flaky = 0 } = report?.stats ?? {};
  if (flaky > 0) console.log(`– ${flaky} of the tests passed only on retry`);
  const leftOut = findLeftOut(report?.suites ?? []);
  if (leftOut.length > 0) console.log(`– ${leftOut.length} left out (${LEFT_OUT})\n  ${leftOut.join('\n  ')}`);
  return { passed: expected + flaky, failed: unexpected, failures: (report?.suites ?? []).flatMap(findFailedSpecs) };
}

function findFailedSpecs({ specs = [], suites = [] }: Suite): string[] {
  const failed = specs
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => {
      const messages = tests.flatMap(({ results }) => results.map(({ error }) => error?.message));
      return `${file}:${line} ${title}${toCause(messages.find((message) => message !== undefined))}`;
    });
  return [...failed, ...suites.flatMap(findFailedSpecs)];
}

/** The beginning of a failure, in one line: the run's last lines are all that a reader of CI may see. */
function toCause(message = ''): string {
  const words = stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, 240);
  return words === '' ? '' : ` (${words})`;
}

function findLeftOut(all: Suite[]): string[] {
  return all.flatMap(({ specs = [], suites = [] }) => [
    ...specs
      .filter(({ tests }) =>
        tests.some(({ annotations }) => annotations.some(({ description }) => description === LEFT_OUT)),
      )
      .map(({ file, line, title }) => `${file}:${line} ${title}`),
    ...findLeftOut(suites),
  ]);
}

async function readReport<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    // The runner ended before it could write a report; its exit code is used instead.
    return null;
  }
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const reports = await mkdtemp(join(tmpdir(), 'webgal-agent-test-'));
try {
  const { passed, failed, failures = [] } = await test(reports, values.quick);
  process.exitCode = failed === 0 ? 0 : 1;
  for (const failure of failures) console.log(`✗ ${failure}`);
  console.log(`${passed} passed, ${failed} failed`);
} finally {
  await rm(reports, { recursive: true, force: true });
}
