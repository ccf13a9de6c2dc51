import type { Locator } from '@playwright/test';
import { FIRST_WORDS, writeConversation } from '../support/games/big-conversation.ts';
import { toSceneName, writeBigGame } from '../support/games/big-game.ts';
import { handToDesktopUser } from '../support/window/desktop.ts';
import { expect, test } from './fixtures.ts';

test.setTimeout(150_000);
test.use({ foldsStage: true, opensProject: true });

/** Presses Page Up, and waits until the list has scrolled and no longer moves. */
async function pageUp(log: Locator): Promise<void> {
  // Not `scrollTop`: it grows when rows above turn out to be taller than estimated.
  const toEnd = () => log.evaluate((list) => list.scrollHeight - list.scrollTop);
  const before = await toEnd();
  await log.press('PageUp');
  await expect.poll(toEnd).toBeGreaterThan(before);
  await log.evaluate(async (list) => {
    for (let [end, still] = [-1, 0]; still < 8; ) {
      await new Promise(requestAnimationFrame);
      const now = list.scrollHeight - list.scrollTop;
      still = now === end ? still + 1 : 0;
      end = now;
    }
  });
}

/** Returns the positions of the rows that the user sees. */
const findPlacesInView = (log: Locator): Promise<number[]> =>
  log.evaluate((list) => {
    const view = list.getBoundingClientRect();
    const shown = [...list.querySelectorAll('article')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top < view.bottom && bottom > view.top;
    });
    return shown.map((row) => Number(row.ariaPosInSet));
  });

test('opens a conversation of 17,000 rows at its end with few rows in the page and scrolls to its start', async ({
  app,
}) => {
  await writeConversation({ projectDir: app.projectDir, home: app.home, rows: 17_000 });
  if (app.hasWindow) handToDesktopUser(app.projectDir, app.home);
  // A page that is still loading when the app ends reports failed requests.
  await expect(app.page.getByTestId('code').getByText('小满').first()).toBeVisible();
  await app.restart();
  const { page } = app;
  const log = page.getByRole('region', { name: 'Conversation with the assistant' });
  const rows = log.getByRole('article');
  const newest = rows.filter({ hasText: /^Answer 3399\./ });

  await test.step('shows the newest row', async () => {
    await expect(rows.last()).toBeInViewport();
    await expect(newest).toBeInViewport();
    expect(await rows.count()).toBeLessThan(100);
  });

  await test.step('reports each row’s position to screen readers', async () => {
    await expect(rows.last()).toHaveAttribute('aria-setsize', '17000', { timeout: 30_000 });
    await expect(rows.last()).toHaveAttribute('aria-posinset', '17000');
    await expect(newest).toBeInViewport();
  });

  await test.step('scrolls up without skipping rows', async () => {
    await log.focus();
    const places = new Set(await findPlacesInView(log));
    for (let presses = 0; presses < 12; presses += 1) {
      await pageUp(log);
      for (const place of await findPlacesInView(log)) places.add(place);
    }
    const sorted = [...places].sort((one, other) => one - other);
    expect(sorted.length).toBeGreaterThan(24);
    expect(sorted).toEqual(sorted.map((_, index) => 17_000 - sorted.length + 1 + index));
  });

  await test.step('scrolls to the first row', async () => {
    await page.keyboard.press('Home');
    await expect(log.getByText(FIRST_WORDS)).toBeInViewport();
    await expect(rows.first()).toHaveAttribute('aria-posinset', '1');
    expect(await rows.count()).toBeLessThan(100);
  });

  await test.step('returns to the newest row with a button', async () => {
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await expect(newest).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Jump to newest' })).toHaveCount(0);
    await expect(log).toBeFocused();
  });
  expect(app.pageErrors).toEqual([]);
});

test('shows no length of a game before all its scenes are read', async ({ app }) => {
  // A page that is still loading when the app ends reports failed requests.
  await expect(app.page.getByTestId('code').getByText('小满').first()).toBeVisible();
  await writeBigGame(app.projectDir, { scenes: 5000 });
  await app.restart();
  const { page } = app;
  const length = page.getByText(/^5,?0\d\d scenes/);
  await expect(length).toBeVisible({ timeout: 30_000 });
  await page.addInitScript(() => {
    const shown = new Set<string>();
    Object.assign(window, { shown });
    new MutationObserver(() => {
      const scenes = document.body?.textContent?.match(/[\d,]+ scenes?(?= · )/)?.[0];
      if (scenes) shown.add(scenes);
    }).observe(document, { characterData: true, childList: true, subtree: true });
  });
  await page.reload();
  await expect(length).toBeVisible({ timeout: 30_000 });
  expect(await page.evaluate('[...window.shown].length')).toBe(1);
});

test('makes 5,000 scenes one tab stop with arrow keys, type-ahead and a filter', async ({ app }) => {
  // A page that is still loading when the app ends reports failed requests.
  await expect(app.page.getByTestId('code').getByText('小满').first()).toBeVisible();
  await writeBigGame(app.projectDir, { scenes: 5000 });
  await app.restart();
  const { page } = app;
  await expect(page.getByText(/^5,?0\d\d scenes/)).toBeVisible({ timeout: 30_000 });
  const openScenes = async () => {
    await page.keyboard.press('Control+3');
    await page.locator('.mantine-SegmentedControl-label').filter({ hasText: 'Scenes' }).click();
  };
  await openScenes();
  const list = page.getByRole('list', { name: 'Scenes' });
  const row = (name: string) => list.getByRole('button', { name, exact: true });

  expect(await list.getByRole('listitem').count()).toBeLessThan(150);
  expect(Number(await list.getByRole('listitem').first().getAttribute('aria-setsize'))).toBeGreaterThan(4999);
  await expect(list.locator('button[tabindex="0"]')).toHaveCount(1);

  await list.locator('button[tabindex="0"]').focus();
  await page.keyboard.press('Home');
  await expect(list.getByRole('button').first()).toBeFocused();
  await page.keyboard.press('End');
  const size = Number(await list.getByRole('listitem').first().getAttribute('aria-setsize'));
  const last = list.locator(`[data-index="${size - 1}"] button`).first();
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
  await page.keyboard.type('chapter_4321');
  await expect(row(toSceneName(4320))).toBeFocused();
  await expect(row(toSceneName(4320))).toBeInViewport();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(row(toSceneName(4321))).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${toSceneName(4321)}, line 1`)).toBeVisible();

  await openScenes();
  await page.getByRole('region', { name: /^Work/ }).getByRole('textbox').first().fill('_4999');
  await expect(row(toSceneName(4998))).toBeVisible();
  expect(app.pageErrors).toEqual([]);
});
