import type { Frame, Page } from '@playwright/test';
import { LOOT, type OtherProgram, startOtherProgram } from '../support/hostile-game.ts';
import { DEPARTURES, POWERS, type StageAttack, TRAFFIC, toAttackScript, WORKERS } from '../support/stage-attacks.ts';
import { expect, test } from './as-a-writer.ts';

let other: OtherProgram;
test.beforeEach(async () => {
  other = await startOtherProgram();
});
test.afterEach(() => other.close());

const stageOf = (page: Page): Frame | undefined => page.frames().find((frame) => frame.url().includes('.localhost:'));

/** The stage's frame, once the game's script ran in it. */
async function findStage(page: Page): Promise<Frame> {
  const kind = () =>
    stageOf(page)
      ?.evaluate(`typeof globalThis.${LOOT}`)
      .catch(() => '');
  // The engine draws on the processor here, and loads the game's scripts last.
  await expect.poll(kind, { timeout: 60_000 }).toBe('object');
  return stageOf(page) as Frame;
}

/** What the game got, in its own words: evaluating in its frame would count as the user's activation of it. */
function listenToLoot(page: Page): { keys: () => string; isReady: () => boolean } {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('LOOT ')) heard.push(message.text().slice(5));
  });
  return { keys: () => heard.filter((word) => word !== 'ready').join(''), isReady: () => heard.includes('ready') };
}

/** The page's origin. Not `URL.origin`: Node has none for the desktop window's scheme. */
function toOrigin(page: Page): string {
  const { protocol, host } = new URL(page.url());
  return `${protocol}//${host}`;
}

async function startListening(page: Page): Promise<ReturnType<typeof listenToLoot>> {
  const loot = listenToLoot(page);
  // The script may have run before there was a listener.
  await page.getByRole('button', { name: 'Load the stage again' }).click();
  await expect.poll(loot.isReady).toBe(true);
  return loot;
}

test.describe('a game that asks for the focus all the time', () => {
  test.use({
    gameScript: `
      addEventListener('keydown', (event) => { console.log('LOOT ' + event.key); }, true);
      addEventListener('paste', (event) => { console.log('LOOT ' + event.clipboardData.getData('text')); }, true);
      const field = document.createElement('input');
      console.log('LOOT ready');
      setInterval(() => {
        if (!field.isConnected) document.body?.append(field);
        window.focus(); field.focus(); document.body?.focus();
      }, 30);`,
  });

  test('receives no key while a key is typed', async ({ app }) => {
    const { page } = app;
    const loot = await startListening(page);
    await page.getByRole('button', { name: 'Connect a model' }).click();
    const settings = page.getByRole('region', { name: /Settings/ });
    await settings.getByText('Another service').click();
    const key = settings.getByLabel('Key', { exact: true });
    await key.click();
    await page.keyboard.type('sk-typed-under-attack', { delay: 20 });
    await expect(key).toHaveValue('sk-typed-under-attack');
    expect(loot.keys()).toBe('');
  });

  test('is stopped or ignored, and what is typed goes where the user clicked', async ({ app }) => {
    const { page } = app;
    const loot = await startListening(page);
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    // Long enough for a game to be stopped in browsers without the policy that refuses it.
    await page.waitForTimeout(1500);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; first', { delay: 20 });
    await expect(code.getByText('; first')).toBeVisible();
    expect(loot.keys()).toBe('');
  });
});

test.describe('a game that listens to the keyboard', () => {
  test.use({
    gameScript: `console.log('LOOT ready'); addEventListener('keydown', (event) => { console.log('LOOT ' + event.key); }, true);`,
  });

  test('receives keys after a click on the stage, until something else is clicked', async ({ app }) => {
    const { page } = app;
    const loot = await startListening(page);
    await page.getByRole('button', { name: /^Click to play/ }).click();
    await expect(page.locator('iframe')).toBeFocused();
    // The browser hands the keyboard to the frame's process a moment after the page says so.
    await expect
      .poll(async () => {
        await page.keyboard.press('x');
        return loot.keys();
      })
      .toMatch(/^x/);
    await page.keyboard.type('abc', { delay: 20 });
    await expect.poll(loot.keys).toMatch(/^x+abc$/);
    await page.getByTestId('code').getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; mine', { delay: 20 });
    await expect(page.getByTestId('code').getByText('; mine')).toBeVisible();
    expect(loot.keys()).toMatch(/^x+abc$/);
  });
});

test.describe('a game that does not want to be left', () => {
  test.use({
    gameScript: `console.log('LOOT ready'); addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });`,
  });

  test('is loaded again when the user says so', async ({ app }) => {
    const { page } = app;
    await startListening(page);
    // Chromium asks only pages that the user has touched.
    await page.getByRole('button', { name: /^Click to play/ }).click();
    await expect(page.locator('iframe')).toBeFocused();
    const mark = () =>
      stageOf(page)
        ?.evaluate('globalThis.__left = true')
        .catch(() => false);
    await expect.poll(mark).toBe(true);
    await page.getByRole('button', { name: 'Load the stage again' }).click();
    // While it loads there is nothing to ask.
    const kind = () =>
      stageOf(page)
        ?.evaluate('typeof globalThis.__left')
        .catch(() => 'loading');
    await expect.poll(kind).toBe('undefined');
  });
});

test.describe('a game whose script never ends', () => {
  test.use({ gameScript: `console.log('LOOT ready'); setTimeout(() => { for (;;); }, 2000);` });

  test('leaves the app alive, and is loaded again when the user says so', async ({ app }) => {
    const { page } = app;
    let starts = 0;
    page.on('console', (message) => {
      if (message.text() === 'LOOT ready') starts += 1;
    });
    // The script may have run before there was a listener.
    await page.waitForTimeout(4000);
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; alive', { delay: 20 });
    await expect(code.getByText('; alive')).toBeVisible();
    const before = starts;
    await page.getByRole('button', { name: 'Load the stage again' }).first().click();
    await expect.poll(() => starts, { timeout: 30_000 }).toBeGreaterThan(before);
  });
});

test.describe('a game that stores what it read', () => {
  test.use({
    gameScript: `
      const left = [localStorage.getItem('left'), /left/.exec(document.cookie)?.[0] ?? null];
      console.log('LOOT found ' + JSON.stringify(left));
      localStorage.setItem('left', 'x');
      document.cookie = 'left=1; max-age=9999';`,
  });

  test('finds nothing of it on the next page', async ({ app }) => {
    const { page } = app;
    const heard: string[] = [];
    page.on('console', (message) => {
      if (message.text().startsWith('LOOT ')) heard.push(message.text());
    });
    for (let pages = 1; pages <= 2; pages += 1) {
      heard.length = 0;
      await page.reload();
      await expect.poll(() => heard, { timeout: 40_000 }).toContain('LOOT found [null,null]');
      expect(new Set(heard)).toEqual(new Set(['LOOT found [null,null]']));
    }
  });
});

test.describe('a game that tries whatever a browser offers', () => {
  test.use({ gameScript: toAttackScript([...TRAFFIC, ...WORKERS, ...POWERS]) });
  test.setTimeout(180_000);

  test('reaches nothing but its own stage, runs nothing beside it, and is granted nothing', async ({ app }) => {
    const { page } = app;
    const frame = await findStage(page);
    const appOrigin = toOrigin(page);
    const attempt = async (rows: readonly StageAttack[]) => {
      const outcomes: Record<string, string> = {};
      for (let at = 0; at < rows.length; at += 25) {
        const names = rows.slice(at, at + 25).map(({ name }) => name);
        const call = `Promise.all(${JSON.stringify(names)}.map((name) => __attempt(name, ${JSON.stringify(other.origin)}, ${JSON.stringify(appOrigin)})))`;
        const answers = (await frame.evaluate(call)) as string[];
        for (const [index, name] of names.entries()) outcomes[name] = answers[index] ?? '';
      }
      return outcomes;
    };
    const granted = (outcomes: Record<string, string>) =>
      Object.entries(outcomes).filter(([, outcome]) => !/^(refused|asked$)/.test(outcome));

    await attempt(TRAFFIC);
    expect(granted(await attempt(WORKERS))).toEqual([]);
    expect(granted(await attempt(POWERS))).toEqual([]);
    await page.waitForTimeout(1000);
    expect(other.requests.map(({ url }) => url)).toEqual([]);
    expect([other.connections(), other.packets()]).toEqual([0, 0]);
    expect(page.url().startsWith(appOrigin)).toBe(true);
    expect(page.context().pages()).toHaveLength(1);

    const problems = page.getByRole('region', { name: 'Problems on stage' });
    await expect(problems).toContainText('This game tried to reach');
    expect(await problems.getByRole('listitem').count()).toBeLessThanOrEqual(50);
  });
});

test.describe('a game that leaves its page', () => {
  test.use({ gameScript: toAttackScript(DEPARTURES) });
  test.setTimeout(300_000);

  test('gets nowhere, and comes back when the user loads the stage again', async ({ app }) => {
    const { page } = app;
    const appOrigin = toOrigin(page);
    const comeBack = () =>
      expect(async () => {
        if (!stageOf(page)) await page.getByRole('button', { name: 'Load the stage again' }).first().click();
        expect(await stageOf(page)?.evaluate('typeof __attempt')).toBe('function');
      }).toPass({ intervals: [500, 8000], timeout: 60_000 });
    for (const { name } of DEPARTURES) {
      await comeBack();
      const call = `__attempt(${JSON.stringify(name)}, ${JSON.stringify(other.origin)}, ${JSON.stringify(appOrigin)})`;
      // Its answer may go with the page that would give it.
      await stageOf(page)
        ?.evaluate(`void setTimeout(() => ${call})`)
        .catch(() => undefined);
      await page.waitForTimeout(1000);
      const urls = page.frames().flatMap((each) => (each === page.mainFrame() ? [] : [each.url()]));
      expect(
        urls.filter((url) => /^(blob|data|file|app|http:\/\/127)/.test(url)),
        name,
      ).toEqual([]);
      expect(page.url(), name).toBe(`${appOrigin}/`);
    }
    await comeBack();
    expect(other.requests.map(({ url }) => url)).toEqual([]);
    expect(other.connections()).toBe(0);
  });
});
