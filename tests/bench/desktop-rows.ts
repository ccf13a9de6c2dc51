import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { launchBrowser } from '../support/window/browser.ts';
import { type Desktop, findDesktopSupport, handToDesktopUser, openDesktop } from '../support/window/desktop.ts';
import { compare, toLine } from './compare.ts';
import {
  createFolders,
  type DesktopFolders,
  measureCoreShares,
  readMemoryBytes,
  removeFolders,
  startApp,
  startBlank,
  startHideable,
} from './desktop.ts';

const ROUNDS = 5;
const STAGE_ROUNDS = 3;
const STAGE_TIMEOUT_MS = 120_000;
const IDLE_SECONDS = 60;
const STILL_SECONDS = 30;
/** Time after a start for the remaining work: the engine's pictures, caches, autosaves. */
const SETTLE_MS = 15_000;
const MEBIBYTE = 1024 * 1024;
const STAGE_READY = /Put the cursor on a line of the script|Plays your text as it is now/;

const ROWS = { start: benchStart, stage: benchStage, memory: benchMemory, idle: benchIdle, still: benchStill };

/**
 * Measures the app in its window, against a blank window and the web host of the same run. Yields one line for each row; `only`
 * selects one row.
 */
export async function* benchDesktop(only?: string): AsyncGenerator<string> {
  const support = await findDesktopSupport();
  if ('missing' in support) {
    yield `desktop: left out, ${support.missing}`;
    return;
  }
  const desktop = await openDesktop(support.runtime);
  const folders = await createFolders();
  try {
    yield `desktop: Electron ${support.runtime.version}`;
    for (const [name, row] of Object.entries(ROWS)) {
      if (only !== undefined && only !== name) continue;
      const needsLinux = name === 'memory' || name === 'idle' || name === 'still';
      if (needsLinux && process.platform !== 'linux') yield `desktop ${name}: left out, it is read from /proc`;
      else yield await row(desktop, folders);
    }
  } finally {
    await removeFolders(folders);
    await desktop.close();
  }
}

/** Measures the time from the start to a welcome page with a clickable button. */
async function benchStart(desktop: Desktop, folders: DesktopFolders): Promise<string> {
  const comparison = await compare({
    name: 'double click to the welcome page',
    against: 'a blank Electron window',
    rounds: ROUNDS,
    goal: { ratio: 1.5, plusMs: 300 },
    ours: async () => {
      const started = await startApp(desktop, folders);
      await waitForWelcome(started.page);
      return stopTimed(started);
    },
    theirs: async () => {
      const started = await startBlank(desktop, folders);
      await started.page.getByRole('heading', { name: 'ready' }).waitFor();
      return stopTimed(started);
    },
  });
  return toLine(comparison);
}

/** Measures the time from the start to the sample with its stage; on the web host including the browser's start. */
async function benchStage(desktop: Desktop, folders: DesktopFolders): Promise<string> {
  const comparison = await compare({
    name: 'double click to the sample with its stage',
    against: 'the web host and a browser',
    rounds: STAGE_ROUNDS,
    goal: { ratio: 1.2 },
    ours: async () => {
      const started = await startApp(desktop, folders, ['--project', folders.game]);
      await waitForStage(started.page);
      return stopTimed(started);
    },
    theirs: () => timeWebStage(desktop, folders),
  });
  return toLine(comparison);
}

async function timeWebStage(desktop: Desktop, folders: DesktopFolders): Promise<number> {
  const startedAt = performance.now();
  const home = join(folders.folder, 'web-home');
  const child = spawn(
    process.execPath,
    [join(desktop.out, 'main', 'cli.js'), 'serve', '--json', '--no-open', '--port', '0', '--project', folders.game],
    {
      env: { ...process.env, WEBGAL_AGENT_HOME: home, WEBGAL_AGENT_KEYCHAIN: 'memory', LC_ALL: 'en_US.UTF-8' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const url = new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve((JSON.parse(chunk.toString()) as { url: string }).url)),
  );
  let browser: Browser | null = null;
  try {
    browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    await page.goto(await url);
    await waitForStage(page);
    return performance.now() - startedAt;
  } finally {
    await browser?.close();
    child.kill('SIGTERM');
    await exited;
  }
}

/** Measures the memory of all processes with the sample and its stage open. */
async function benchMemory(desktop: Desktop, folders: DesktopFolders): Promise<string> {
  const blank = await startBlank(desktop, folders);
  await blank.page.getByRole('heading', { name: 'ready' }).waitFor();
  await settle();
  const theirs = readMemoryBytes(blank.pid) / MEBIBYTE;
  await blank.stop();
  const started = await startApp(desktop, folders, ['--project', folders.game]);
  await waitForStage(started.page);
  await settle();
  const ours = readMemoryBytes(started.pid) / MEBIBYTE;
  await started.stop();
  const figures = `${ours.toFixed(0)} MiB against ${theirs.toFixed(0)} MiB`;
  const isMet = ours <= theirs * 1.6 + 250;
  return `memory with the sample open: ${(ours / theirs).toFixed(2)} × a blank Electron window (${figures}), goal 1.6 × + 250 MiB: ${toVerdict(isMet)}`;
}

/** Measures the CPU time of all processes while the window is hidden and idle. */
async function benchIdle(desktop: Desktop, folders: DesktopFolders): Promise<string> {
  const started = await startHideable(desktop, folders, ['--project', folders.game]);
  await waitForStage(started.page);
  // A page with an attached debugger counts as visible.
  await started.detach();
  started.hide();
  await settle();
  const shares = await measureCoreShares(started.pid, IDLE_SECONDS);
  await started.stop();
  return `idle with the window hidden: ${toShareLine(shares, { goal: 1, seconds: IDLE_SECONDS })}`;
}

/** Measures the CPU time of all processes while the window is visible and its stage shows no animation. */
async function benchStill(desktop: Desktop, folders: DesktopFolders): Promise<string> {
  // The sample's rain is an endless animation, so the scene is replaced by one without it.
  const scene = join(folders.game, 'game', 'scene', 'start.txt');
  await writeFile(scene, 'changeBg:bridge.webp -next;\n:Nothing moves.;\nend;\n');
  handToDesktopUser(folders.game);
  const started = await startApp(desktop, folders, ['--project', folders.game]);
  await waitForStage(started.page);
  await started.page.getByTestId('code').getByText('Nothing moves').first().click();
  // Moves the focus out of the editor, because a blinking caret is painted, too.
  await started.page.getByRole('button', { name: 'History' }).first().click();
  await started.detach();
  await settle();
  const shares = await measureCoreShares(started.pid, STILL_SECONDS);
  await started.stop();
  return `stage open, nothing moves: ${toShareLine(shares, { goal: 15, seconds: STILL_SECONDS })}`;
}

async function waitForWelcome(page: Page): Promise<void> {
  // Clickable, not only present: Playwright's trial performs the checks of a real click.
  await page.getByRole('button', { name: 'Open a game folder' }).click({ trial: true });
}

async function waitForStage(page: Page): Promise<void> {
  await page.getByText(STAGE_READY).first().waitFor({ timeout: STAGE_TIMEOUT_MS });
}

async function stopTimed({ startedAt, stop }: Awaited<ReturnType<typeof startApp>>): Promise<number> {
  const milliseconds = performance.now() - startedAt;
  await stop();
  return milliseconds;
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

function toVerdict(isMet: boolean): string {
  return isMet ? 'met' : 'missed';
}

/** `goal`: the largest share of a core, in percent. */
function toShareLine(
  shares: ReadonlyMap<string, number>,
  { goal, seconds }: { goal: number; seconds: number },
): string {
  const percent = [...shares.values()].reduce((sum, share) => sum + share, 0);
  const busiest = [...shares].slice(0, 4).map(([kind, share]) => `${kind} ${share.toFixed(2)}`);
  return `${percent.toFixed(2)} % of a core over ${seconds} s (${busiest.join(', ')}), goal under ${goal} %: ${toVerdict(percent < goal)}`;
}
