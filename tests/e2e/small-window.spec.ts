import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { ask, chatOf, connectModel, expect, reviewOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

/** Resolves to whether the text is drawn completely in its own box. */
const isWhole = (text: Locator) =>
  text.evaluate(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth <= clientWidth);

test.beforeEach(async ({ app, service }) => {
  await connectModel(app.page, service.url);
  // The middle is as wide as beside an open stage in a window of 1024 pixels.
  await app.page.setViewportSize({ width: 700, height: 700 });
  await app.page.keyboard.press('Control+1');
});

test('fits the empty chat into a window of 1024 by 700', async ({ app }) => {
  await app.page.setViewportSize({ width: 1024, height: 700 });
  const log = chatOf(app.page).getByRole('region', { name: 'Conversation with the assistant' });
  await expect(log.getByRole('button')).toHaveCount(3);
  await expect
    .poll(() => log.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
    .toBeLessThanOrEqual(0);
});

test('shows a waiting message and its buttons in a narrow chat without cutting the text', async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 1024, height: 700 });
  await ask(page, 'Talk for a long time [slow]');
  await expect(chatOf(page).getByRole('button', { name: 'Stop' })).toBeVisible();
  await ask(page, 'Change the music to a piano');
  const text = chatOf(page).getByRole('list', { name: 'Messages that wait' }).getByText('Change the music to a piano');
  expect(await isWhole(text)).toBe(true);
  expect(await text.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(0);
});

test('shows in a narrow review that nothing is written, and the file of an entry of the audit log', async ({ app }) => {
  const { page } = app;
  await ask(page, 'Add a line about the rain');
  await expect(reviewOf(page).getByRole('button', { name: 'Accept all' })).toBeEnabled();
  expect(await isWhole(reviewOf(page).getByRole('heading', { name: /Nothing is written yet/ }))).toBe(true);
  await page.keyboard.press('Control+7');
  const row = page.getByRole('region', { name: /Audit log/ }).getByRole('button', { name: /Write a file/ });
  expect(await isWhole(row.locator('span', { hasText: /^Write a file/ }).first())).toBe(true);
});

test('shows the whole title of a fix with a long file name', async ({ app }) => {
  const { page, projectDir } = app;
  const picture = 'The-View-From-The-Harbour-On-A-Rainy-Night-In-The-Last-Week-Of-June.webp';
  await writeFile(join(projectDir, 'game', 'background', picture), '');
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(`changeBg:${picture.toLowerCase()};`);
  const fix = page.getByRole('region', { name: 'Problems' }).getByRole('button', { name: `Change to ${picture}` });
  await expect(fix).toBeVisible();
  expect(await isWhole(fix.locator('.mantine-Button-label'))).toBe(true);
});

test('closes the hint of the mode once a mode is chosen', async ({ app }) => {
  const { page } = app;
  const hint = page.getByRole('tooltip', { name: /nothing is written until you accept/ });
  const mode = chatOf(page).getByText('Write', { exact: true });
  await mode.click();
  await chatOf(page).getByRole('textbox', { name: 'Message to the assistant' }).fill('A storm');
  await page.waitForTimeout(1500);
  await expect(hint).toBeHidden();
  await page.mouse.move(600, 300);
  await mode.hover();
  await expect(hint).toBeVisible();
});

test('never puts the shown tab below the arrow of the strip', async ({ app }) => {
  const { page } = app;
  for (const name of ['bookshop.txt', 'bridge.txt', 'bookshop.txt']) {
    await page.keyboard.press('Control+3');
    await page.locator('.mantine-SegmentedControl-label').filter({ hasText: 'Scenes' }).click();
    await page.getByRole('list', { name: 'Scenes' }).getByRole('button', { name, exact: true }).click();
  }
  const tabs = page.getByRole('navigation', { name: 'Open files' });
  await expect(tabs.getByRole('listitem')).toHaveCount(3);
  const tab = tabs.getByRole('button', { name: 'bookshop.txt', exact: true });
  const arrows = tabs.locator('[data-position]:not([data-hidden])');
  await expect(arrows.first()).toBeVisible();
  await expect
    .poll(async () => {
      const [shown, ...covers] = await Promise.all([tab, ...(await arrows.all())].map((each) => each.boundingBox()));
      if (!shown) return 'no tab';
      return covers.filter(
        (cover) => cover && cover.x < shown.x + shown.width - 16 && cover.x + cover.width > shown.x + 16,
      );
    })
    .toEqual([]);
});

test('keeps the active tab in view in a window that gets narrower, unless the user scrolled it away', async ({
  app,
}) => {
  const { page } = app;
  await page.setViewportSize({ width: 1440, height: 700 });
  for (const name of ['bookshop.txt', 'bridge.txt']) {
    await page.keyboard.press('Control+3');
    await page.locator('.mantine-SegmentedControl-label').filter({ hasText: 'Scenes' }).click();
    await page.getByRole('list', { name: 'Scenes' }).getByRole('button', { name, exact: true }).click();
  }
  const tabs = page.getByRole('navigation', { name: 'Open files' });
  const strip = tabs.getByRole('presentation');
  const tab = tabs.getByRole('button', { name: 'bridge.txt', exact: true });
  await expect(tab).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 760, height: 700 });
  await expect(tab).toBeInViewport({ ratio: 1 });
  await strip.evaluate((list) => list.scrollTo({ left: 0 }));
  await page.setViewportSize({ width: 720, height: 700 });
  await page.waitForTimeout(300);
  expect(await strip.evaluate((list) => list.scrollLeft)).toBe(0);
});

test('keeps the marks inside the legend of the story map', async ({ app }) => {
  const { page } = app;
  await page.keyboard.press('Control+6');
  await page.getByRole('button', { name: 'What the signs mean' }).click();
  const marks = page.locator('dt > span').filter({ hasText: /\w/ });
  await expect(marks).toHaveCount(5);
  const gaps = await marks.evaluateAll((all) =>
    all.map((mark) => mark.getBoundingClientRect().left - (mark.closest('dl')?.getBoundingClientRect().left ?? 0)),
  );
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
});

test.describe('with the stage', () => {
  test.use({ foldsStage: false });

  // The app's smallest window, and one of 1280 by 800 with its text enlarged by half.
  for (const { width, height } of [
    { width: 900, height: 600 },
    { width: 853, height: 533 },
  ])
    test(`shows all buttons of the stage whole in a window of ${width} by ${height}`, async ({ app }) => {
      const { page } = app;
      await page.setViewportSize({ width, height });
      const bar = page.getByRole('toolbar', { name: 'Stage controls' });
      await expect.poll(() => bar.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      const widths = await bar
        .getByRole('button')
        .evaluateAll((all) => all.map((button) => button.getBoundingClientRect().width));
      expect(widths).toHaveLength(8);
      expect(Math.min(...widths)).toBeGreaterThanOrEqual(24);
      const icon = bar.getByRole('button', { name: 'Play here' }).locator('svg');
      await expect(icon).toBeInViewport({ ratio: 1 });
    });
});
