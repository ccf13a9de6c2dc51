import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Page } from '@playwright/test';
import { HOARDS } from '../support/attacks/hoards.ts';
import { plantScript, startOtherProgram } from '../support/attacks/hostile-game.ts';
import {
  DEPARTURES,
  POWERS,
  type StageAttack,
  TRAFFIC,
  toAttackScript,
  WORKERS,
} from '../support/attacks/stage-attacks.ts';
import { LAUNCHED_BY, writeBrowserLauncher } from '../support/window/browser.ts';
import { test as base, expect, type RunningApp } from './fixtures.ts';
import { saveDownload } from './save-download.ts';

const test = base.extend({
  // The web host plays in the browser of this computer, the window in itself.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  environment: async ({}, use, { project }) => {
    if (project.name !== 'web') return use({ WEBGAL_AGENT_BROWSER: '/nowhere/to/be/found' });
    const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-browser-'));
    await use({ WEBGAL_AGENT_BROWSER: await writeBrowserLauncher(folder) });
    await rm(folder, { recursive: true, force: true });
  },
});
// Software rendering is slow, especially on a busy machine.
test.setTimeout(300_000);
test.use({ opensProject: true, foldsStage: true });

/** Stopping ends within two seconds, and a busy machine shows it later. */
const STOP_MS = 3_000;
/** For how long attacks run before the playtest is stopped. */
const ATTACK_MS = 30_000;

const openPanel = (page: Page) => page.getByRole('button', { name: 'Playtest', exact: true }).click();
const playAll = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Play all routes' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  // The focus follows, although the buttons of a run are others.
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Play all routes' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('button', { name: 'Play all routes' })).toBeFocused();
};

test('plays all routes of the open game and opens what players would run into', async ({ app }) => {
  const { page, projectDir } = app;
  const start = join(projectDir, 'game/scene/start.txt');
  const text = (await readFile(start, 'utf8')).trimEnd();
  // After the change of scene, so that no route gets there.
  await writeFile(start, `changeBg:gone.webp -next;\n${text}\n小满:没有人读到这里。;\n`);
  const line = text.split('\n').length + 2;
  await openPanel(page);
  await expect(page.getByText('Nothing was played yet')).toBeVisible();
  await playAll(page);
  await expect(page.getByText('routes: 2.')).toBeVisible();

  await test.step('a finding opens its line, and the report can be saved', async () => {
    const list = page.getByRole('list', { name: 'Problems' });
    await list.getByRole('button', { name: /start\.txt:1 .*gone\.webp/ }).click();
    await expect(page.getByTestId('code')).toContainText('gone.webp');
    await openPanel(page);
    const saved = await saveDownload(app, async () => {
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'JUnit (XML)' }).click();
    });
    expect(saved.toString()).toMatch(/<failure message="[^"]*gone\.webp/);
  });
  await test.step('the ending has its choices, the scene the line that no route played', async () => {
    await page.getByText('Endings and scenes', { exact: true }).click();
    await expect(page.getByRole('list', { name: 'Endings and scenes' })).toContainText('陪她把后半本看完');
    await page.getByText(/^Lines \(\d+ %\)$/).click();
    await page.getByRole('button', { name: new RegExp(`start\\.txt.*Never played: ${line}`) }).click();
    await expect(page.getByTestId('code')).toContainText('没有人读到这里');
  });
  await test.step('the line is marked until its text changes, and the map names the scene', async () => {
    const marks = page.locator('.script-unplayed');
    await expect(marks).toHaveCount(1);
    await page.getByRole('button', { name: 'Story map', exact: true }).click();
    await expect(page.locator('[data-unplayed]')).toHaveCount(1);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByTestId('code').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.type('; x');
    await expect(marks).toHaveCount(0);
    await page.getByRole('button', { name: 'Story map', exact: true }).click();
    await expect(page.locator('[data-unplayed]')).toContainText('changed since the playtest');
  });
});

/** A story with one route for each option of its menus. */
function toBranches(menus: number, options: number): string {
  const sections = Array.from({ length: menus }, (_, menu) => {
    const names = Array.from({ length: options }, (__, option) => `m${menu}o${option}`);
    const ways = names.flatMap((name) => [`label:${name};`, `:${name}。;`, `jumpLabel:after${menu};`]);
    return [`choose:${names.map((name) => `${name}:${name}`).join('|')};`, ...ways, `label:after${menu};`];
  });
  return [':起。;', ...sections.flat(), ':终。;', 'end;', ''].join('\n');
}

test('continues a stopped run, until the game is another one', async ({ app }) => {
  const { page, projectDir } = app;
  const start = join(projectDir, 'game/scene/start.txt');
  // One route for each option at least, so that two stops on a fast machine leave something to play.
  await writeFile(start, toBranches(6, 50));
  await openPanel(page);
  const resume = page.getByRole('button', { name: 'Continue where it stopped' });
  const countRoutes = async (): Promise<number> => {
    const [progress = ''] = await page.getByText(/^Routes: /).allTextContents();
    return Number(/\d+/.exec(progress)?.[0] ?? 0);
  };
  const stopAfter = async (routes: number): Promise<number> => {
    await expect.poll(countRoutes, { intervals: [50], timeout: 60_000 }).toBeGreaterThanOrEqual(routes);
    await expect(page.getByText(/^Lines \([1-9]\d* %\)$/)).toBeVisible();
    const stopped = page.getByText('Stopped before everything was played.');
    await expect(stopped).toBeHidden();
    const reached = await countRoutes();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(stopped).toBeVisible();
    return reached;
  };
  await page.getByRole('button', { name: 'Play all routes' }).click();
  await expect(page.getByText('are listed here when the run ends')).toBeVisible();
  const reached = await stopAfter(2);
  await resume.click();
  await stopAfter(reached + 2);
  await resume.click();
  await expect(page.getByText(/routes: [5-9][0-9]\.$/)).toBeVisible({ timeout: 120_000 });
  await expect(resume).toBeHidden();

  await page.getByRole('button', { name: 'Play all routes' }).click();
  await stopAfter(2);
  await writeFile(start, toBranches(2, 2));
  await resume.click();
  await expect(page.getByText('The game changed since the playtest stopped')).toBeVisible();
  await expect(resume).toBeHidden();
});

test('divides a text that does not fit its box, and takes it back as one step', async ({ app }) => {
  const { page, projectDir } = app;
  const start = join(projectDir, 'game/scene/start.txt');
  const sentence = '雨一直下，街灯一盏一盏地亮起来，谁也没有说话。';
  await writeFile(start, `小满:${sentence.repeat(12)} -v1.ogg;\n${await readFile(start, 'utf8')}`);
  await openPanel(page);
  await playAll(page);
  await page.getByRole('button', { name: 'Split the line' }).click();
  const code = page.getByTestId('code');
  await expect.poll(async () => (await code.innerText()).match(/小满:雨一直下/g)?.length).toBe(2);
  await page.keyboard.press('ControlOrMeta+Z');
  await expect.poll(async () => (await code.innerText()).match(/小满:雨一直下/g)?.length).toBe(1);
});

const PROGRAMS = '/proc';

/** The programs of the playtest's browser on the web host; null where the system does not tell. */
async function countBrowsers(launcher: string | undefined): Promise<number | null> {
  if (launcher === undefined || !existsSync(PROGRAMS)) return null;
  const ids = (await readdir(PROGRAMS)).filter((name) => /^\d+$/.test(name));
  const told = await Promise.all(ids.map((id) => readFile(join(PROGRAMS, id, 'environ'), 'latin1').catch(() => '')));
  return told.filter((environment) => environment.includes(`${LAUNCHED_BY}=${launcher}`)).length;
}

/** What a playtest leaves: the pages of the window's program, of which the app's is one, and programs of the browser. */
async function countPages(app: RunningApp, { WEBGAL_AGENT_BROWSER: launcher }: Record<string, string>) {
  if (!app.hasWindow) return { browsers: await countBrowsers(launcher) };
  return { pages: await app.desktop.evaluate(({ webContents }) => webContents.getAllWebContents().length) };
}

/** The files of a game, without the app's own folder, each with a digest. */
async function readGame(projectDir: string): Promise<string[]> {
  const entries = await readdir(projectDir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const own = paths.map((path) => relative(projectDir, path)).filter((path) => !path.startsWith('.webgal_agent'));
  const told = async (path: string) =>
    `${path} ${createHash('sha256')
      .update(await readFile(join(projectDir, path)))
      .digest('hex')}`;
  return (await Promise.all(own.map(told))).sort();
}

/** Attacks on the page above, which is the game's own page in a playtest: it leaves. */
const isDeparture = ({ name }: StageAttack): boolean => /(top|parent)$/.test(name);

async function attack({ page, projectDir }: RunningApp, rows: readonly StageAttack[], origin: string): Promise<void> {
  const names = JSON.stringify(rows.map(({ name }) => name));
  const run = `for (const name of ${names}) __attempt(name, '${origin}', '${new URL(page.url()).origin}');`;
  // At the first click of the player, and after a request for a file whose absence the report tells.
  const begin = `const asked = new XMLHttpRequest(); asked.open('GET', '/game/background/attacked.webp', false); asked.send(); ${run}`;
  const script = `${toAttackScript(rows)} addEventListener('click', () => { ${begin} }, { capture: true, once: true });`;
  await plantScript(projectDir, script);
  const game = await readGame(projectDir);
  const play = page.getByRole('button', { name: 'Play all routes' });
  await play.click();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  // A game under attack may not go on, which is the player's to stop. It may end just before.
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await play.waitFor({ timeout: ATTACK_MS }).catch(() => stop.click().catch(() => undefined));
  await expect(play).toBeVisible();
  await expect(page.getByRole('list', { name: 'Problems' })).toContainText('attacked.webp');
  await page.waitForTimeout(1000);
  expect(await readGame(projectDir), 'the files of the game').toEqual(game);
}

for (const [what, runs] of [
  ['tries every browser feature', [[...TRAFFIC.filter((row) => !isDeparture(row)), ...WORKERS, ...POWERS]]],
  ['goes to another page', [...DEPARTURES, ...TRAFFIC.filter(isDeparture)].map((row) => [row])],
] as const) {
  test(`plays a game that ${what} without reaching the app, the disk or another program`, async ({
    app,
    environment,
  }) => {
    const other = await startOtherProgram();
    await openPanel(app.page);
    const [address, before] = [app.page.url(), await countPages(app, environment)];
    for (const rows of runs) {
      const name = rows.length > 1 ? what : (rows[0]?.name ?? '');
      await test.step(name, async () => {
        await attack(app, rows, other.origin);
        const urls = other.requests.map(({ url }) => url);
        expect(urls, `requests to another program: ${name}`).toEqual([]);
        expect([other.connections(), other.packets()], `connections and packets: ${name}`).toEqual([0, 0]);
        expect(app.page.url(), `the page of the app: ${name}`).toBe(address);
        await expect.poll(() => countPages(app, environment), `pages and programs left: ${name}`).toEqual(before);
      });
    }
    expect(app.pageErrors, 'faults of the app').toEqual([]);
    await other.close();
  });
}

test('ends a playtest of a game that fills the memory, says why, and plays the next one', async ({
  app,
  environment,
}) => {
  // biome-ignore lint/suspicious/noSkippedTests: nothing is bounded there (docs/security.md)
  test.skip(!app.hasWindow && !existsSync(PROGRAMS), 'the system does not tell the memory of programs');
  const { page, projectDir } = app;
  const before = await countPages(app, environment);
  await plantScript(projectDir, `if (globalThis.__playtest) { ${HOARDS['of its page, and never rests']} }`);
  await openPanel(page);
  await page.getByRole('button', { name: 'Play all routes' }).click();
  await expect(page.getByText('The game needed too much memory')).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => countPages(app, environment)).toEqual(before);
  await plantScript(projectDir, '');
  await playAll(page);
  await expect(page.getByText('routes: 2.')).toBeVisible();
  expect(app.pageErrors).toEqual([]);
});

test('ends the page of a game that hangs when it is stopped, or the game is closed', async ({ app, environment }) => {
  const { page, projectDir } = app;
  const before = await countPages(app, environment);
  const hang = async () => {
    await page.getByRole('button', { name: 'Play all routes' }).click();
    await expect.poll(() => countPages(app, environment), { timeout: 20_000 }).not.toEqual(before);
    // It hangs from here on.
    await page.waitForTimeout(2000);
  };
  // In the playtest alone: the stage of the app has the same script.
  await plantScript(projectDir, `addEventListener('load', () => { while (globalThis.__playtest); });`);
  await openPanel(page);
  await hang();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Play all routes' })).toBeVisible({ timeout: STOP_MS });
  await expect.poll(() => countPages(app, environment)).toEqual(before);
  await hang();
  await app.restart();
  await expect.poll(() => countPages(app, environment)).toEqual(before);
});
