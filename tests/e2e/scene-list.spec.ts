import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { readScene, reviewOf } from './user-actions.ts';

test.use({ foldsStage: true });

const listOf = (page: Page) => page.getByRole('list', { name: 'Scenes' });
const sceneOf = (page: Page, name: string) => listOf(page).getByRole('button', { name, exact: true });
const tabOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Open files' }).getByRole('button', { name, exact: true });

test.beforeEach(async ({ app }) => {
  await app.page.getByRole('button', { name: 'Show the stage' }).click();
});

/** Waits until a file is gone. */
const expectGone = (projectDir: string, path: string) =>
  expect.poll(() => readScene(projectDir, path).catch((error: NodeJS.ErrnoException) => error.code)).toBe('ENOENT');

test('renames a scene from its menu, with the lines that lead to it and its tab', async ({ app }) => {
  const { page, projectDir } = app;
  await sceneOf(page, 'bookshop.txt').click();
  await expect(tabOf(page, 'bookshop.txt')).toBeVisible();
  await sceneOf(page, 'bookshop.txt').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const dialog = page.getByRole('dialog', { name: /Rename the scene/ });
  const field = dialog.getByRole('textbox', { name: 'New name' });
  await expect(field).toHaveValue('bookshop');
  await field.fill('bridge');
  await field.press('Escape');
  await expect(sceneOf(page, 'bookshop.txt')).toBeFocused();
  await page.keyboard.press('F2');
  await field.fill('bridge');
  await field.press('Enter');
  await expect(dialog.getByText('“bridge” is already taken.')).toBeVisible();
  await field.fill('con');
  await field.press('Enter');
  await expect(dialog.getByText('That name does not work on every computer.')).toBeVisible();
  await field.fill('old books');
  await field.press('Enter');
  await expect(reviewOf(page).getByText('Rename “bookshop.txt” to “old books.txt”')).toBeVisible();
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expectGone(projectDir, 'game/scene/bookshop.txt');
  await expect.poll(() => readScene(projectDir)).toMatch(/old books\.txt/);
  expect(await readScene(projectDir)).not.toMatch(/bookshop\.txt/);
  await page.keyboard.press('Control+1');
  await expect(tabOf(page, 'old books.txt')).toBeVisible();
  await expect(tabOf(page, 'bookshop.txt')).toHaveCount(0);

  await test.step('undone in the history, the new name leaves no tab', async () => {
    await page.keyboard.press('Control+4');
    const history = page.getByRole('region', { name: /History/ });
    await history.getByText('All changes', { exact: true }).click();
    await history.getByRole('list', { name: 'Changes, newest first' }).getByRole('button').first().click();
    await history.getByRole('button', { name: /^Undo (this change|it in all)/ }).click();
    await expectGone(projectDir, 'game/scene/old books.txt');
    await page.keyboard.press('Control+1');
    // The tab of a file that is gone has a longer name.
    await expect(page.getByRole('navigation', { name: 'Open files' })).not.toContainText('old books.txt');
    await expect(sceneOf(page, 'bookshop.txt')).toBeVisible();
  });
});

test('deletes a scene with a key after a review, closes its tab and brings it back', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir, 'game/scene/bookshop.txt');
  await sceneOf(page, 'bookshop.txt').click();
  await expect(tabOf(page, 'bookshop.txt')).toBeVisible();
  await sceneOf(page, 'bookshop.txt').press('Delete');
  await expect(reviewOf(page).getByText('Delete the scene “bookshop.txt”')).toBeVisible();
  await expect(page.locator('.line-delete .view-line').first()).toBeInViewport();
  // The empty text of a deleted file has no added line.
  await expect(page.locator('.line-insert:visible, .insert-sign:visible, .gutter-insert:visible')).toHaveCount(0);
  expect(await readScene(projectDir, 'game/scene/bookshop.txt')).toBe(before);
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expectGone(projectDir, 'game/scene/bookshop.txt');
  await expect(sceneOf(page, 'bookshop.txt')).toHaveCount(0);
  await page.keyboard.press('Control+1');
  await expect(tabOf(page, 'bookshop.txt')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(sceneOf(page, 'bookshop.txt')).toBeVisible();
  expect(await readScene(projectDir, 'game/scene/bookshop.txt')).toBe(before);
});

test('offers neither for the scene that the game starts with', async ({ app }) => {
  const { page } = app;
  await sceneOf(page, 'start.txt starts here').focus();
  for (const key of ['F2', 'Delete']) await page.keyboard.press(key);
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Show on the story map' })).toBeFocused();
  await expect(page.getByRole('menuitem')).toHaveCount(1);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Work · Story map' })).toBeVisible();
});

test('brings the scene that is opened into view, and the first ones while names are filtered', async ({ app }) => {
  const { page, projectDir } = app;
  for (let day = 10; day < 70; day += 1)
    await writeFile(join(projectDir, `game/scene/day-${day}.txt`), `:day ${day};\nchangeScene:day-${day + 1}.txt;\n`);
  await expect(page.getByText(/^63 scenes/)).toBeVisible();
  await page.getByRole('button', { name: 'New scene' }).click();
  await page.keyboard.type('zoo');
  await page.keyboard.press('Enter');
  await expect(tabOf(page, 'zoo.txt')).toBeVisible();
  await expect(sceneOf(page, 'zoo.txt')).toBeInViewport();
  await page
    .getByRole('region', { name: 'Scenes and assets' })
    .getByRole('textbox', { name: 'Find by name' })
    .fill('o');
  await expect(sceneOf(page, 'bookshop.txt')).toBeInViewport();
});

test('opens the menu for a press without a pointer, and gives the focus back to the scene', async ({ app }) => {
  const { page } = app;
  const actions = listOf(page).getByRole('button', { name: 'Actions for bookshop.txt' });
  await expect(actions).toHaveAttribute('aria-haspopup', 'menu');
  await actions.dispatchEvent('click');
  await expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
  await expect(sceneOf(page, 'bookshop.txt')).toBeFocused();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Show on the story map' }).click();
  await expect(page.getByRole('region', { name: 'Work · Story map' })).toBeVisible();
});
