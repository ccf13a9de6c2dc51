import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  _electron,
  type Browser,
  type BrowserContext,
  test as base,
  type ElectronApplication,
  type Page,
} from '@playwright/test';
import { findElectron } from '../../scripts/electron-binary.ts';
import { launchBrowser } from '../support/browser.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'out', 'main');
const START_LIMIT = 20_000;

/** The app, started for one test on folders of its own, with a page that shows it. */
export interface RunningApp {
  /** In Electron another one after each start. */
  readonly page: Page;
  /** The game: a copy of the sample, of this test alone. */
  projectDir: string;
  /** Where the app keeps its own data (`WEBGAL_AGENT_HOME`). */
  home: string;
  /** Where it puts games of hers (`WEBGAL_AGENT_DOCUMENTS`). */
  documents: string;
  /** The launch link of the last start; used up. Empty in Electron. */
  readonly url: string;
  /** Everything the app has printed. */
  output(): string;
  /** What went wrong in the page: uncaught errors, and refusals of the content security policy. */
  pageErrors: string[];
  /** Ends the app as she would, if it still runs, and starts it again with the page on it. */
  restart(): Promise<void>;
  /** Ends the app as a power cut would. The page stays, without an app behind it. */
  kill(): Promise<void>;
}

export interface AppOptions {
  /** False: the app opens with the welcome page. */
  opensProject: boolean;
  /** The system's language, as the app sees it. */
  systemLocale: string;
  /** More variables for the app. */
  environment: Record<string, string>;
  /** True: the stage is folded away, as she can. Stories that are not about it are told faster, for the engine draws on the processor here. */
  foldsStage: boolean;
}

interface Started {
  page: Page;
  url: string;
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Starts the app once; hands what it prints to `hear`. */
type Starter = (args: string[], env: Record<string, string>, hear: (text: string) => void) => Promise<Started>;

export const test = base.extend<AppOptions & { app: RunningApp }, { appBrowser: Browser | null }>({
  opensProject: [true, { option: true }],
  systemLocale: ['en_US.UTF-8', { option: true }],
  environment: [{}, { option: true }],
  foldsStage: [false, { option: true }],

  appBrowser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs off this pattern
    async ({}, use, { project }) => {
      const browser = project.name === 'electron' ? null : await launchBrowser();
      await use(browser);
      await browser?.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  app: async ({ appBrowser, opensProject, systemLocale, environment, foldsStage }, use, { project }) => {
    const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-e2e-'));
    const [home, documents, projectDir] = ['home', 'documents', 'my-game'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(home);
    await mkdir(documents);
    await cp(join(ROOT, 'assets', 'sample-game'), projectDir, { recursive: true });

    const context =
      appBrowser && (await appBrowser.newContext({ viewport: project.use.viewport ?? null, locale: 'en-US' }));
    if (foldsStage) await context?.addInitScript(foldStage);
    const starter = context ? startWeb(context) : startDesktop;
    const args = opensProject ? ['--project', projectDir] : [];
    const env = {
      ...environment,
      WEBGAL_AGENT_HOME: home,
      WEBGAL_AGENT_DOCUMENTS: documents,
      LC_ALL: systemLocale,
      WEBGAL_AGENT_KEYCHAIN: 'memory',
    };
    let printed = '';
    const pageErrors: string[] = [];
    const start = async (): Promise<Started> => {
      const next = await starter(args, env, (text) => {
        printed += text;
      });
      watch(next.page, pageErrors);
      return next;
    };
    let running = await start();
    await use({
      get page() {
        return running.page;
      },
      get url() {
        return running.url;
      },
      projectDir,
      home,
      documents,
      pageErrors,
      output: () => printed,
      async restart() {
        await running.stop('SIGTERM');
        running = await start();
      },
      kill: () => running.stop('SIGKILL'),
    });
    await running.stop('SIGTERM');
    await context?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

export { expect } from '@playwright/test';

/** Runs in the page, before it: what the page itself keeps when she folds the stage. */
function foldStage(): void {
  const key = 'webgal-agent.layout';
  localStorage.setItem(key, localStorage.getItem(key) ?? JSON.stringify({ isStageOpen: false }));
}

function startWeb(context: BrowserContext): Starter {
  let page: Page | undefined;
  return async (args, env, hear) => {
    const child = spawn(
      process.execPath,
      [join(MAIN, 'cli.js'), 'serve', '--port', '0', '--no-open', '--json', ...args],
      {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const url = await readUrl(child, hear);
    page ??= await context.newPage();
    await page.goto(url);
    return { page, url, stop: (signal) => end(child, signal) };
  };
}

const startDesktop: Starter = async (args, env, hear) => {
  const executablePath = await findElectron();
  if (!executablePath) throw new Error('The Electron program is gone.');
  const desktop: ElectronApplication = await _electron.launch({
    executablePath,
    args: [join(MAIN, 'electron.js'), ...args],
    env: { ...(process.env as Record<string, string>), ...env },
  });
  const child = desktop.process();
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => hear(chunk.toString()));
  return {
    page: await desktop.firstWindow(),
    url: '',
    stop: (signal) => (signal === 'SIGKILL' ? end(child, signal) : desktop.close()),
  };
};

/** The one line of JSON that `serve --json` prints when it is ready. */
function readUrl(child: ChildProcess, hear: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = '';
    let said = '';
    const timer = setTimeout(() => reject(new Error(`The app did not start in time.\n${said}`)), START_LIMIT);
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      hear(chunk.toString());
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      hear(chunk.toString());
      line += chunk.toString();
      if (!line.includes('\n')) return;
      clearTimeout(timer);
      const { url } = JSON.parse(line.split('\n')[0] ?? '') as { url?: string };
      if (url) resolve(url);
      else reject(new Error(`The app did not start: ${line}`));
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The app ended with ${code}.\n${said}`));
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
  // The engine in the frame has errors of its own; only what comes from our page's files counts here.
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
