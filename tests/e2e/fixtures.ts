import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  _electron,
  type Browser,
  type BrowserContext,
  test as base,
  type ElectronApplication,
  type Page,
} from '@playwright/test';
import { copySample } from '../../scripts/copy-sample.ts';
import { plantEngine, plantScript } from '../support/attacks/hostile-game.ts';
import { launchBrowser } from '../support/window/browser.ts';
import { handToDesktopUser, type StagedDesktop, startDisplay } from '../support/window/desktop.ts';
import { readTestPackage } from '../support/window/test-package.ts';
import { DEADLINE_VARIABLE, LAST_MS, LEFT_OUT } from '../support/window/time-left.ts';
import { DESKTOP_VARIABLE } from './desktop-setup.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'out', 'main');
const START_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 20_000;
/**
 * In the window, stories of these files run also when little time is left: attacks, and what differs between the hosts. Each is
 * the beginning of a path below `tests/e2e`.
 */
const ALWAYS_IN_WINDOW = ['desktop/', 'hostile-', 'key-secrecy', 'full-disk', 'playing', 'stage-window', 'story.'];
/** How long an app may take to close after a test before it is killed. */
const KILL_DELAY_MS = 2_000;

/** The app, started for one test with its own folders, and its page. */
export interface RunningApp {
  /** A new page after each start in Electron. */
  readonly page: Page;
  readonly hasWindow: boolean;
  /** The Electron program of the last start. Throws on the web host. */
  readonly desktop: ElectronApplication;
  /** The game: a copy of the sample for this test. */
  projectDir: string;
  /** The app's data folder (`WEBGAL_AGENT_HOME`). */
  home: string;
  /** The folder for new games (`WEBGAL_AGENT_DOCUMENTS`). */
  documents: string;
  /** The launch link of the last start, already used. Empty in Electron. */
  readonly url: string;
  /** Returns everything the app has printed. */
  output(): string;
  /** Uncaught errors of the page and violations of its content security policy. */
  pageErrors: string[];
  /**
   * Closes the app like the user, if it still runs, and starts it again with its page. Fails if the window does not close
   * without help. `args` replace those of the first start.
   */
  restart(args?: string[]): Promise<void>;
  /** Starts the program once more while the app runs. Resolves to its exit code. Only in Electron. */
  startBeside(args: string[], directory?: string): Promise<number | null>;
  /** Kills the app without a shutdown, like a power cut. The page stays open without an app. */
  kill(): Promise<void>;
}

export interface AppOptions {
  /** False: the app shows the welcome page. */
  opensProject: boolean;
  /** The system locale for the app. */
  systemLocale: string;
  /** Additional environment variables for the app. */
  environment: Record<string, string>;
  /** True: the stage is collapsed. Makes tests that do not need it faster, because rendering is done in software. */
  foldsStage: boolean;
  /** A script of the game that the engine runs in the stage's frame; empty for none. */
  gameScript: string;
  /** A script that the game brings as its engine; empty for none. */
  gameEngine: string;
  /** Chromium's switches for the window. */
  switches: string[];
}

/** The Electron program to start, and the arguments before the app's own. */
interface Program {
  program: string;
  first: string[];
}

interface Started {
  page: Page;
  /** The Electron program; absent on the web host. */
  desktop?: ElectronApplication;
  url: string;
  /** Closes the app like the user. Rejects if it does not exit in time. */
  close(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts the app once; passes its output to `onOutput`. */
type Starter = (args: string[], env: Record<string, string>, onOutput: (text: string) => void) => Promise<Started>;

export const test = base.extend<
  AppOptions & { app: RunningApp; isInTime: undefined },
  { appBrowser: Browser | null; display: undefined }
>({
  opensProject: [true, { option: true }],
  systemLocale: ['en_US.UTF-8', { option: true }],
  environment: [{}, { option: true }],
  foldsStage: [false, { option: true }],
  gameScript: ['', { option: true }],
  gameEngine: ['', { option: true }],
  switches: [[], { option: true }],

  appBrowser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
    async ({}, use, { project }) => {
      const browser = project.name === 'web' ? await launchBrowser() : null;
      await use(browser);
      await browser?.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  // One per worker, because a covered window counts as hidden and all windows of a display share its clipboard.
  display: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
    async ({}, use, { project }) => {
      const display = project.name !== 'web' && readDesktop()?.needsDisplay ? await startDisplay() : null;
      if (display) process.env.DISPLAY = display.name;
      await use(undefined);
      display?.process.kill();
    },
    { scope: 'worker', auto: true },
  ],

  // `afterEach` hooks run also for a story that is left out, without what `beforeEach` would have made.
  isInTime: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
    async ({}, use, testInfo) => {
      const file = relative(import.meta.dirname, testInfo.file).replaceAll('\\', '/');
      const isInBrowserToo =
        testInfo.project.name === 'electron' && !ALWAYS_IN_WINDOW.some((part) => file.startsWith(part));
      const deadline = Number(process.env[DEADLINE_VARIABLE] ?? Number.POSITIVE_INFINITY);
      testInfo.skip(Date.now() > deadline + (isInBrowserToo ? 0 : LAST_MS), LEFT_OUT);
      await use(undefined);
    },
    { auto: true },
  ],

  app: async (
    { appBrowser, opensProject, systemLocale, environment, foldsStage, gameScript, gameEngine, switches },
    use,
    { project },
  ) => {
    const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-e2e-'));
    const [home, documents, projectDir] = ['home', 'documents', 'my-game'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(home);
    await mkdir(documents);
    await copySample(projectDir);

    if (gameScript !== '') await plantScript(projectDir, gameScript);
    if (gameEngine !== '') await plantEngine(projectDir, gameEngine);

    const context =
      appBrowser && (await appBrowser.newContext({ viewport: project.use.viewport ?? null, locale: 'en-US' }));
    if (foldsStage) await context?.addInitScript(foldStage);
    const userHome = join(folder, 'user');
    await mkdir(userHome);
    if (!context) letDesktopUserIn(folder);
    const program = context ? null : await findProgram(project.name);
    const starter = program ? startWindow(foldsStage, switches, program) : startWeb(context as BrowserContext);
    const args = opensProject ? ['--project', projectDir] : [];
    const env = {
      WEBGAL_AGENT_HOME: home,
      WEBGAL_AGENT_DOCUMENTS: documents,
      LC_ALL: systemLocale,
      WEBGAL_AGENT_KEYCHAIN: 'memory',
      ...environment,
      ...(context ? {} : { HOME: userHome, XDG_CONFIG_HOME: join(userHome, 'config') }),
    };
    let printed = '';
    const pageErrors: string[] = [];
    const start = async (own: string[]): Promise<Started> => {
      const next = await starter(own, env, (text) => {
        printed += text;
      });
      watch(next.page, pageErrors);
      return next;
    };
    let running = await start(args);
    await use({
      get page() {
        return running.page;
      },
      hasWindow: context === null,
      get desktop() {
        if (!running.desktop) throw new Error('There is no window on the web host.');
        return running.desktop;
      },
      get url() {
        return running.url;
      },
      projectDir,
      home,
      documents,
      pageErrors,
      output: () => printed,
      async restart(own = args) {
        await running.close();
        running = await start(own);
      },
      kill: () => running.kill(),
      startBeside: (own, directory) => {
        if (!program) throw new Error('There is no window on the web host.');
        return startBeside(program, own, env, directory);
      },
    });
    await stop(running);
    await context?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

export { expect } from '@playwright/test';

/** True if a test that cannot run is a failure, as in CI. */
export const mayLeaveNothingOut = process.env.WEBGAL_AGENT_REQUIRE_WINDOW === '1';

/** Runs in the page: stores the collapsed state of the stage unless a layout is stored. Returns whether it did. */
function foldStage(): boolean {
  const key = 'webgal-agent.layout';
  if (localStorage.getItem(key) !== null) return false;
  localStorage.setItem(key, JSON.stringify({ isStageOpen: false }));
  return true;
}

/** Runs in the page: presses the title bar's last switch, the stage's, if it is on. Returns whether there is one. */
function pressFold(): boolean {
  const button = [...document.querySelectorAll<HTMLElement>('header button[aria-pressed]')].at(-1);
  if (button?.ariaPressed === 'true') button.click();
  return button !== undefined;
}

function startWeb(context: BrowserContext): Starter {
  let page: Page | undefined;
  return async (args, env, onOutput) => {
    const child = spawn(
      process.execPath,
      [join(MAIN, 'cli.js'), 'serve', '--port', '0', '--no-open', '--json', ...args],
      {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const url = await readUrl(child, onOutput);
    page ??= await context.newPage();
    await page.goto(url);
    return { page, url, close: () => end(child, 'SIGTERM'), kill: () => end(child, 'SIGKILL') };
  };
}

/** Returns the desktop of this run from `desktop-setup.ts`. */
export function readDesktop(): Omit<StagedDesktop, 'close'> {
  return JSON.parse(process.env[DESKTOP_VARIABLE] ?? 'null') as Omit<StagedDesktop, 'close'>;
}

/** Makes new files of a test writable for the account that Electron runs as. */
function letDesktopUserIn(folder: string): void {
  process.umask(0);
  handToDesktopUser(folder);
}

/** Returns the build in Electron, or the packaged app. */
async function findProgram(projectName: string): Promise<Program> {
  if (projectName !== 'package') {
    const { program, out, switches } = readDesktop();
    return { program, first: [join(out, 'main', 'electron.js'), ...switches] };
  }
  const { start } = await readTestPackage();
  if (!start) throw new Error('There is no Electron on this machine to package.');
  return { program: start.twin, first: readDesktop().switches };
}

function startWindow(foldsStage: boolean, switches: string[], { program, first }: Program): Starter {
  return async (args, env, onOutput) => {
    const desktop: ElectronApplication = await _electron.launch({
      executablePath: program,
      chromiumSandbox: true,
      args: [...first, ...switches, ...args],
      env: { ...(process.env as Record<string, string>), ...env },
    });
    const child = desktop.process();
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => onOutput(chunk.toString()));
    const page = await desktop.firstWindow();
    // Shortcuts and menu commands work only once the page has rendered.
    const rendered = () => page.getByRole('button').first().waitFor();
    await rendered();
    // Not by a script of the context: a page that loads while the script is registered never runs it. The button takes a tenth
    // of a reload, which the welcome page needs, because it has none.
    if (foldsStage && !(await page.evaluate(pressFold)) && (await page.evaluate(foldStage))) {
      await page.reload();
      await rendered();
    }
    return {
      page,
      desktop,
      url: '',
      close: () => within(CLOSE_TIMEOUT_MS, desktop.close(), 'The app does not close.'),
      kill: () => end(child, 'SIGKILL'),
    };
  };
}

/** Ends the app after a test. Kills it if it shows a question about text that cannot be saved. */
async function stop({ close, kill, desktop }: Started): Promise<void> {
  if (!desktop) return close();
  await within(KILL_DELAY_MS, close(), '').catch(kill);
}

function within<T>(limit: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), limit);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function startBeside(
  { program, first }: Program,
  args: string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<number | null> {
  const child = spawn(program, [...first, ...args], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
    ...(cwd === undefined ? {} : { cwd }),
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

/** Reads the URL from the line of JSON that `serve --json` prints when it is ready. */
function readUrl(child: ChildProcess, onOutput: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = '';
    let errors = '';
    const timer = setTimeout(() => reject(new Error(`The app did not start in time.\n${errors}`)), START_TIMEOUT_MS);
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
      onOutput(chunk.toString());
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      onOutput(chunk.toString());
      line += chunk.toString();
      if (!line.includes('\n')) return;
      clearTimeout(timer);
      const { url } = JSON.parse(line.split('\n')[0] ?? '') as { url?: string };
      if (url) resolve(url);
      else reject(new Error(`The app did not start: ${line}`));
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The app ended with ${code}.\n${errors}`));
    });
  });
}

function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill(signal);
  });
}

const watched = new WeakSet<Page>();

function watch(page: Page, errors: string[]): void {
  if (watched.has(page)) return;
  watched.add(page);
  // The engine in the frame has its own errors; only errors of the app's page count.
  const isOurs = (place: string | undefined): boolean =>
    place?.includes(page.url().split('/').slice(0, 3).join('/')) ?? false;
  page.on('pageerror', (error) => {
    if (isOurs(error.stack)) errors.push(error.stack ?? error.message);
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy') && isOurs(message.location().url))
      errors.push(message.text());
  });
}
