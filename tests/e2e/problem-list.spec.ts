import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openScene } from './user-actions.ts';

test.use({ foldsStage: true });

const COUNT = 15;
const rowsOf = (page: Page) => page.getByRole('region', { name: 'Problems' }).getByRole('listitem');
/** The row of a background that a scene lacks. */
const rowOf = (page: Page, name: string) => rowsOf(page).filter({ hasText: `${name}.webp` });
const scrollTo = (page: Page, top: number) =>
  page
    .getByRole('region', { name: 'Problems' })
    .locator('.mantine-ScrollArea-viewport')
    .evaluate((list, y) => list.scrollTo({ top: y }), top);
/** Rows of a list that is scrolled are cut at its edges. */
const expectShown = (row: Locator) => expect(row).toBeInViewport({ ratio: 0.9 });

test.beforeEach(async ({ app }) => {
  const { page, projectDir } = app;
  for (const scene of ['one', 'two']) {
    const lines = Array.from({ length: COUNT }, (_, at) => `changeBg:${scene}-${at + 1}.webp;\n`);
    await writeFile(join(projectDir, 'game', 'scene', `${scene}.txt`), lines.join(''));
  }
  await expect(rowsOf(page)).toHaveCount(2 * COUNT);
});

test('shows the problems of a scene that is opened, and stays where it is while the user types', async ({ app }) => {
  const { page } = app;
  await openScene(page, 'one');
  await expectShown(rowOf(page, 'one-1'));
  await scrollTo(page, 10_000);
  await expectShown(rowOf(page, `two-${COUNT}`));
  await openScene(page, 'two');
  await expectShown(rowOf(page, 'two-1'));

  await scrollTo(page, 10_000);
  await page.locator('.view-line').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(':the end;');
  await page.waitForTimeout(1000);
  await expectShown(rowOf(page, `one-${COUNT}`));
});

test('keeps a problem in view that is opened from the list', async ({ app }) => {
  const { page } = app;
  await openScene(page, 'one');
  for (const name of [`two-${COUNT}`, 'one-1']) {
    await rowOf(page, name).getByRole('button').first().click();
    await expect(page.getByRole('button', { name: `${name.slice(0, 3)}.txt`, exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expect(page.getByTestId('code').getByRole('textbox')).toBeFocused();
    await expectShown(rowOf(page, name));
  }
});
