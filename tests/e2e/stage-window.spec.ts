import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from '@playwright/test';
import { WIRE_GLOBAL } from '../../shared/wire.ts';
import { expect, type RunningApp, test } from './fixtures.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(240_000);
const SLOW = { timeout: 60_000 };
test.use({ opensProject: true });

const COVER = 'Click to play; the keyboard goes to the game then';
const textBox = (page: Page) => page.frameLocator('iframe').locator('#textBoxMain');

async function chooseInMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More for the stage' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Opens a game of three sentences, and moves its stage to a window of its own. */
async function moveOut({ page, projectDir }: RunningApp): Promise<Page> {
  await expect(textBox(page)).toContainText('六月', SLOW);
  await writeFile(join(projectDir, 'game/scene/start.txt'), ':One;\n:Two;\n:Three;\n');
  await page.locator('[data-testid="code"]').getByText('One').first().click(SLOW);
  await expect(textBox(page)).toContainText('One', SLOW);
  const [own] = await Promise.all([page.context().waitForEvent('page'), chooseInMenu(page, 'In a window of its own')]);
  return own;
}

async function findGame(own: Page): Promise<Frame> {
  const frame = await (await own.waitForSelector('iframe')).contentFrame();
  if (!frame) throw new Error('There is no game.');
  return frame;
}

test('plays in a window of its own, with one engine, and is driven from the app', async ({ app }) => {
  const { page } = app;
  const own = await moveOut(app);
  await test.step('there is one engine, in the new window', async () => {
    await expect(textBox(own)).toContainText('One', SLOW);
    await expect(page.locator('iframe')).toHaveCount(0);
    await expect(page.getByText('The stage is in a window of its own')).toBeVisible();
    await expect(own).toHaveTitle(/ — Stage$/);
  });
  await test.step('the controls of the app move it', async () => {
    await page.getByRole('button', { name: 'Next line' }).click();
    await expect(textBox(own)).toContainText('Two', SLOW);
  });
  await test.step('the keyboard reaches the game', async () => {
    await own.getByRole('button', { name: COVER }).focus();
    await own.keyboard.press('Enter');
    await expect(own.getByRole('button', { name: COVER })).toHaveCount(0);
  });
});

test('says in both windows why the game was stopped, and starts it again from the app', async ({ app }) => {
  const { page } = app;
  const own = await moveOut(app);
  await expect(textBox(own)).toContainText('One', SLOW);
  const game = await findGame(own);
  await game.evaluate(() => {
    for (let count = 0; count < 5; count += 1) parent.postMessage(count, '*');
  });
  const told = 'This game kept sending messages or errors, so it was stopped';
  for (const each of [own, page]) await expect(each.getByText(told)).toBeVisible();
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(textBox(own)).toContainText('One', SLOW);
  for (const each of [own, page]) await expect(each.getByText(told)).toHaveCount(0);
});

test('is back in its panel when the window is closed, and closes with the game', async ({ app }) => {
  const { page } = app;
  const first = await moveOut(app);
  await expect(textBox(first)).toContainText('One', SLOW);
  await first.close();
  await expect(textBox(page)).toContainText('One', SLOW);
  const [second] = await Promise.all([
    page.context().waitForEvent('page'),
    chooseInMenu(page, 'In a window of its own'),
  ]);
  await expect(textBox(second)).toContainText('One', SLOW);
  await page.reload();
  await expect.poll(() => second.isClosed()).toBe(true);
  await expect(textBox(page)).toContainText('One', SLOW);
});

test('holds the walls of the stage in that window, also against a game that attacks from it', async ({ app }) => {
  const { page } = app;
  const own = await moveOut(app);
  await expect(textBox(own)).toContainText('One', SLOW);
  const address = own.url();
  const game = await findGame(own);
  expect(await own.evaluate((name) => [name in globalThis, window.opener === null], WIRE_GLOBAL)).toEqual([
    false,
    true,
  ]);
  const reached = await game.evaluate(async (words) => {
    const attempt = (act: () => unknown): string => {
      try {
        return String(act());
      } catch (error) {
        return (error as Error).name;
      }
    };
    parent.postMessage(words, '*');
    const results = {
      opener: attempt(() => parent.opener),
      page: attempt(() => parent.document.title),
      storage: attempt(() => (parent as Window).localStorage.length),
      opened: attempt(() => window.open('about:blank')),
      closed: attempt(() => parent.close()),
      moved: attempt(() => {
        (parent as Window).location.href = 'https://example.com/';
      }),
      focused: attempt(() => parent.focus()),
    };
    await new Promise((resolve) => setTimeout(resolve, 500));
    return results;
  }, 'webgal-agent.stage-window');
  expect(reached).toMatchObject({
    opener: 'null',
    page: 'SecurityError',
    storage: 'SecurityError',
    opened: 'null',
  });
  expect(own.isClosed()).toBe(false);
  expect(own.url()).toBe(address);
  await test.step('messages that imitate the window do not reach the app', async () => {
    await page.evaluate(
      (words) => window.postMessage(words, '*', [new MessageChannel().port1]),
      'webgal-agent.stage-window',
    );
    await page.getByRole('button', { name: 'Next line' }).click();
    await expect(textBox(own)).toContainText('Two', SLOW);
  });
  await test.step('a game that imitates the window with a port is stopped', async () => {
    const stopping = (await findGame(own)).evaluate(
      (words) => parent.postMessage(words, '*', [new MessageChannel().port2]),
      'webgal-agent.stage-window',
    );
    // The frame may be gone before it answers.
    await stopping.catch(() => undefined);
    await expect(own.getByText('This game kept sending messages or errors, so it was stopped')).toBeVisible();
  });
});
