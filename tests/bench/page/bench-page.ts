import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { launchBrowser } from '../../support/window/browser.ts';
import { callApp } from '../../support/window/call-app.ts';

/** The built app; `BENCH_OUT` selects another build to compare with. */
const OUT = process.env.BENCH_OUT ?? join(import.meta.dirname, '..', '..', '..', 'out');

/** Main thread blocking of a page during a measurement, in milliseconds. */
export interface Busy {
  /** The longest blocked time. */
  longest: number;
  /** Sum of all blocked times above 50 ms. */
  blocked: number;
}

export interface BenchFolders {
  folder: string;
  projectDir: string;
  home: string;
  remove(): Promise<void>;
}

/** Creates folders for a game and for the app's data. */
export async function makeBenchFolders(): Promise<BenchFolders> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const [projectDir, home] = [join(folder, 'game'), join(folder, 'home')];
  await mkdir(projectDir);
  await mkdir(home);
  return { folder, projectDir, home, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

export interface BenchPage {
  page: Page;
  browser: Browser;
  url: string;
  /** Calls the app like the page. */
  call(method: string, input: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens the app with a game in a real browser. The stage is collapsed, because rendering is done in software. */
export async function openBenchPage({ projectDir, home }: BenchFolders, { isOpened = true } = {}): Promise<BenchPage> {
  const child = spawn(
    process.execPath,
    [join(OUT, 'main', 'cli.js'), 'serve', '--port', '0', '--no-open', '--json', '--project', projectDir],
    {
      env: { ...process.env, WEBGAL_AGENT_HOME: home, WEBGAL_AGENT_KEYCHAIN: 'memory' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await readUrl(child);
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  await context.addInitScript(() => {
    localStorage.setItem('webgal-agent.layout', JSON.stringify({ isStageOpen: false }));
  });
  const page = await context.newPage();
  if (isOpened) await page.goto(url);
  return {
    page,
    browser,
    url,
    call: (method, input) => callApp(page, method, input),
    async close() {
      await browser.close();
      child.kill('SIGTERM');
      await new Promise((done) => child.once('exit', done));
    },
  };
}

/** Waits until the page has read a game of `scenes` scenes. The status bar groups the digits as in English. */
export async function waitForScenes(page: Page, scenes: number): Promise<void> {
  await page.getByText(new RegExp(`^${scenes.toLocaleString('en')} scene`)).waitFor({ timeout: 120_000 });
}

/** Starts measuring a page, now or from its next load; the returned function returns the blocked times. */
export async function watchBusy(page: Page): Promise<() => Promise<Busy>> {
  // As text, because these names exist in the browser only.
  const start = `globalThis.busyTimes = [];
    new PerformanceObserver((list) => globalThis.busyTimes.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' });`;
  await page.addInitScript(start);
  if (page.url() !== 'about:blank') await page.evaluate(start);
  return async () => {
    const times = await page.evaluate(() => (globalThis as unknown as { busyTimes: number[] }).busyTimes.splice(0));
    return { longest: Math.max(0, ...times), blocked: times.reduce((sum, time) => sum + time - 50, 0) };
  };
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => resolve((JSON.parse(chunk.toString()) as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`The app ended with ${code}.`)));
  });
}
