/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { copySample } from '../../scripts/copy-sample.ts';
import { writeScenes } from '../support/games/branching-game.ts';
import { launchBrowser } from '../support/window/browser.ts';
import { toVolumes } from './story-map.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Maximum blocked time of the page, in milliseconds. */
const MAX_BLOCKED_MS = 50;

/**
 * Opens the map of a game in the page, reopens it, unfolds a chapter, searches a line and scrolls the list. Yields a line for
 * each with the time until the result is visible and the longest blocked time of the page.
 */
export async function* benchStoryMapPage(volumes: number): AsyncGenerator<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const project = join(folder, 'game');
  await copySample(project);
  const texts = toVolumes(volumes);
  await writeScenes(project, texts);
  const env = { ...process.env, WEBGAL_AGENT_HOME: join(folder, 'home'), WEBGAL_AGENT_KEYCHAIN: 'memory' };
  const cli = join(ROOT, 'out', 'main', 'cli.js');
  const child = spawn(process.execPath, [cli, 'serve', '--json', '--project', project], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
    await page.addInitScript(() => {
      const blocks: number[] = [];
      Object.assign(globalThis, { blocks });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) blocks.push(duration);
      }).observe({ entryTypes: ['longtask'] });
    });
    await page.goto(await readUrl(child));
    await page.getByText(/about .* to read/).waitFor({ timeout: 120_000 });
    // Waits for background work of the page.
    await page.waitForTimeout(5000);
    // Searched in the page: with many rows, Playwright's own search blocks longer than the map.
    const seen = (selector: string, text = '') =>
      page.waitForFunction(
        ([wanted, words]) => {
          return [...document.querySelectorAll(wanted as string)].some((one) =>
            one.textContent?.includes(words as string),
          );
        },
        [selector, text],
      );
    const press = (selector: string) =>
      page.evaluate((wanted) => document.querySelector<HTMLElement>(wanted)?.click(), selector);
    const open = async () => {
      await page.keyboard.press('Control+6');
      await seen('[data-story-node]');
    };
    const steps: [name: string, run: () => Promise<unknown>][] = [
      ['first opening', open],
      ['second opening', open],
      ['whole map in sight', () => press('.react-flow__panel button:nth-of-type(3)')],
      ['unfolding', () => press('[data-story-node][data-folded]')],
      [
        'search',
        async () => {
          await page.getByRole('textbox', { name: 'Scene, line or speaker' }).focus();
          await page.keyboard.insertText('小雪 潮声');
          await seen('span[role=status]', '1 of ');
        },
      ],
      [
        'list',
        async () => {
          await press('input[type=radio][value=list]');
          await seen('li[aria-posinset]');
        },
      ],
    ];
    for (const [name, run] of steps) {
      if (name === 'second opening') {
        await page.keyboard.press('Control+1');
        await page.waitForTimeout(2000);
      }
      yield `story map of ${texts.size} scenes, ${name}: ${await measure(page, run)}`;
    }
  } finally {
    await browser.close();
    child.kill('SIGTERM');
    await new Promise((done) => child.once('exit', done));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measure(page: Page, run: () => Promise<unknown>): Promise<string> {
  await page.evaluate(() => Reflect.get(globalThis, 'blocks').splice(0));
  const startedAt = performance.now();
  await run();
  const took = performance.now() - startedAt;
  // Later rendering blocks as well.
  await page.waitForTimeout(1500);
  const longest = await page.evaluate(() => Math.max(0, ...(Reflect.get(globalThis, 'blocks') as number[])));
  const verdict = longest <= MAX_BLOCKED_MS ? 'met' : 'missed';
  return `${took.toFixed(0)} ms, longest block ${longest.toFixed(0)} ms (goal ≤ ${MAX_BLOCKED_MS}: ${verdict})`;
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => resolve((JSON.parse(chunk.toString()) as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`The app ended with ${code}.`)));
  });
}
