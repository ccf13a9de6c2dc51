import type { Page } from '@playwright/test';
import { writeBigGame } from '../../support/games/big-game.ts';
import { makeBenchFolders, openBenchPage, waitForScenes } from './bench-page.ts';
import type { Row } from './row.ts';

const KEYS_A_ROUND = 40;
const ROUNDS = 4;
/** Delay between two keys of a fast typist. */
const PAUSE_MS = 110;
const WORDS = 'rain falls on the quiet harbour tonight ';

/** Records Chromium's event timing from a key to its frame, in steps of 8 ms; not reported below 16 ms. */
const WATCH_KEYS = `globalThis.keyTimes = [];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') globalThis.keyTimes.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });`;
const UNREPORTED_MS = 12;

/** Measures the time from key to paint in the editor, in a game of `size`, against a plain text field in the same browser. */
export async function benchTyping(size: { scenes: number; assets?: number; lines?: number }): Promise<Row[]> {
  const folders = await makeBenchFolders();
  await writeBigGame(folders.projectDir, size);
  const app = await openBenchPage(folders);
  try {
    const { page, browser } = app;
    await waitForScenes(page, size.scenes);
    await page.locator('.view-line').first().waitFor();
    await page.waitForTimeout(4000);
    await page.evaluate(WATCH_KEYS);
    const bare = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await bare.setContent('<textarea rows="30" cols="100"></textarea>');
    await bare.evaluate(WATCH_KEYS);
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      await bare.bringToFront();
      await bare.locator('textarea').click();
      theirs.push(...(await type(bare)));
      await page.bringToFront();
      await page.locator('.view-line').first().click();
      await page.keyboard.press('End');
      ours.push(...(await type(page)));
    }
    const name = `key to paint, ${size.scenes} scenes, ${size.assets ?? 0} assets, ${size.lines ?? 8} lines`;
    return [
      toRatioRow(`${name}, median`, { ours: at(ours, 0.5), theirs: at(theirs, 0.5), goal: 2 }),
      toRatioRow(`${name}, p95`, { ours: at(ours, 0.95), theirs: at(theirs, 0.95), goal: 3 }),
    ];
  } finally {
    await app.close();
    await folders.remove();
  }
}

/** Measured keys, each with unmeasured text before it; all are frequent while writing a scene. */
const KINDS: Record<string, { before: string; key: string }> = {
  'a letter of a word': { before: '', key: 'a' },
  'a new line': { before: 'a quiet evening;', key: 'Enter' },
  'a letter of a label': { before: '\nlabel:q', key: 'u' },
  'the first colon of a line': { before: '\nYukino', key: ':' },
};
const TIMES = 25;

/** Measures the same for single kinds of keys, which cause different amounts of work. */
export async function benchTypingKinds(size: { scenes: number; assets?: number; lines?: number }): Promise<Row[]> {
  const folders = await makeBenchFolders();
  await writeBigGame(folders.projectDir, size);
  const app = await openBenchPage(folders);
  try {
    const { page, browser } = app;
    await waitForScenes(page, size.scenes);
    await page.locator('.view-line').first().waitFor();
    await page.waitForTimeout(4000);
    await page.evaluate(WATCH_KEYS);
    const bare = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await bare.setContent('<textarea rows="30" cols="100"></textarea>');
    await bare.evaluate(WATCH_KEYS);
    const rows: Row[] = [];
    for (const [kind, keys] of Object.entries(KINDS)) {
      await bare.bringToFront();
      await bare.locator('textarea').click();
      const theirs = await press(bare, keys);
      await page.bringToFront();
      await page.locator('.view-line').first().click();
      await page.keyboard.press('End');
      const ours = await press(page, keys);
      const name = `key to paint, ${kind}, ${size.lines ?? 8} lines, ${size.assets ?? 0} assets`;
      rows.push(
        toRatioRow(`${name}, median`, { ours: at(ours, 0.5), theirs: at(theirs, 0.5), goal: 2 }),
        toRatioRow(`${name}, p95`, { ours: at(ours, 0.95), theirs: at(theirs, 0.95), goal: 3 }),
      );
    }
    return rows;
  } finally {
    await app.close();
    await folders.remove();
  }
}

async function press(page: Page, { before, key }: { before: string; key: string }): Promise<number[]> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await page.keyboard.insertText(before);
    await page.waitForTimeout(PAUSE_MS);
    await page.evaluate('globalThis.keyTimes.length = 0');
    await page.keyboard.press(key);
    await page.waitForTimeout(PAUSE_MS * 2);
    const seen = await page.evaluate<number[]>('globalThis.keyTimes.splice(0)');
    times.push(Math.max(UNREPORTED_MS, ...seen));
  }
  return times;
}

async function type(page: Page): Promise<number[]> {
  const text = WORDS.repeat(Math.ceil(KEYS_A_ROUND / WORDS.length)).slice(0, KEYS_A_ROUND);
  // Warm-up keys, not counted in any round.
  await page.keyboard.type('abc', { delay: PAUSE_MS });
  await page.evaluate('globalThis.keyTimes.length = 0');
  await page.keyboard.type(text, { delay: PAUSE_MS });
  await page.waitForTimeout(300);
  const times = await page.evaluate<number[]>('globalThis.keyTimes.splice(0)');
  return [...times, ...Array<number>(Math.max(0, KEYS_A_ROUND - times.length)).fill(UNREPORTED_MS)];
}

function at(times: readonly number[], part: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Creates a row for the ratio of two durations. */
export function toRatioRow(name: string, { ours, theirs, goal }: { ours: number; theirs: number; goal: number }): Row {
  const ratio = ours / theirs;
  const isMet = ratio <= goal;
  const line = `${name}: ${ratio.toFixed(2)} × a bare one (${ours.toFixed(1)} against ${theirs.toFixed(1)} ms); goal ${goal}: ${isMet ? 'met' : 'missed'}`;
  return { name, line, isMet };
}
