import type { BrowserContext } from '@playwright/test';
import { writeBigGame } from '../../support/games/big-game.ts';
import { makeBenchFolders, openBenchPage } from './bench-page.ts';
import type { Row } from './row.ts';
import { toRatioRow } from './typing.ts';

const ROUNDS = 5;

/** Selectors of usable pages: the welcome page's first button, and a line of the open scene in the editor. */
const USABLE = {
  welcome: 'main button',
  editor: '.view-line span span',
};

/** Measures the time from navigation until a page is usable, against its first paint, with warm caches. */
export async function benchUsable(): Promise<Row[]> {
  const folders = await makeBenchFolders();
  await writeBigGame(folders.projectDir, { scenes: 10 });
  const app = await openBenchPage(folders);
  const blank = 'data:text/html,<!doctype html><title>blank</title>ready';
  try {
    const context = app.page.context();
    const game = new URL('/', app.url).href;
    await app.page.locator(USABLE.editor).first().waitFor({ timeout: 120_000 });
    const rounds = async (url: string, selector: string) => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) times.push(await load(context, url, selector));
      return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
    };
    const bare = await rounds(blank, 'body');
    const editor = await rounds(game, USABLE.editor);
    await app.call('project.close', {});
    await app.page.locator(USABLE.welcome).first().waitFor({ timeout: 60_000 });
    const welcome = await rounds(game, USABLE.welcome);
    return [
      toRatioRow('until the welcome page can be used', { ours: welcome, theirs: bare, goal: 10 }),
      toRatioRow('until the text of a game can be typed in', { ours: editor, theirs: bare, goal: 25 }),
    ];
  } finally {
    await app.close();
    await folders.remove();
  }
}

/** Returns the milliseconds from navigation to the frame after an element is in the page. */
async function load(context: BrowserContext, url: string, selector: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor({ timeout: 120_000 });
  const took = await page.evaluate(
    () => new Promise<number>((done) => requestAnimationFrame(() => done(performance.now()))),
  );
  await page.close();
  return took;
}
