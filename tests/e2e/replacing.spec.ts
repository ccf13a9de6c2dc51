import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { readScene, reviewOf } from './user-actions.ts';

test.use({ foldsStage: true });

const SCENES = ['start', 'bookshop', 'bridge'].map((name) => `game/scene/${name}.txt`);
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Replace in all scenes' });
const readScenes = (projectDir: string) => Promise.all(SCENES.map((path) => readScene(projectDir, path)));

test('replaces a name in all scenes after a review, and not where players do not read it', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScenes(projectDir);
  await page.getByTestId('code').getByText('小满').first().dblclick();
  await page.keyboard.press('Control+Shift+H');
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('textbox', { name: 'Find' })).toHaveValue('小满');
  await dialog.getByRole('textbox', { name: 'Replace with' }).fill('小晴;');
  await expect(dialog.getByText('The engine would read')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Review the changes' })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Replace with' }).fill('小晴');
  await expect(dialog.getByRole('status')).toHaveText(/^Found: \d+ places in 3 scenes\.$/);
  await page.keyboard.press('Enter');
  await expect(reviewOf(page).getByText('Replace “小满” with “小晴”')).toBeVisible();
  expect(await readScenes(projectDir)).toEqual(before);
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect
    .poll(() => readScenes(projectDir))
    .toEqual(before.map((text) => text.replace(/^(?!;).*$/gm, (line) => line.replaceAll('小满', '小晴'))));
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => readScenes(projectDir)).toEqual(before);
});

test('says when there is nothing to replace, and closes with Escape', async ({ app }) => {
  const { page } = app;
  await page.getByRole('button', { name: 'Story map', exact: true }).click();
  const button = page.getByRole('button', { name: 'Replace in all scenes…' });
  await button.click();
  const dialog = dialogOf(page);
  await dialog.getByRole('textbox', { name: 'Find' }).fill('xiaoman');
  await expect(dialog.getByRole('status')).toHaveText('Nothing found.');
  await dialog.getByRole('checkbox', { name: 'Only words that players read' }).uncheck();
  await expect(dialog.getByRole('status')).toHaveText(/^Found: \d+ places in 3 scenes\.$/);
  await dialog.getByRole('checkbox', { name: 'Whole words only' }).check();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('mounts a page of tabs for a change of many files, and leads to the others', async ({ app }) => {
  const { page, projectDir } = app;
  for (let day = 100; day < 220; day += 1)
    await writeFile(join(projectDir, `game/scene/day-${day}.txt`), ':sea;\nend;\n');
  await expect(page.getByText(/^123 scenes/)).toBeVisible();
  await page.keyboard.press('Control+Shift+H');
  await dialogOf(page).getByRole('textbox', { name: 'Find' }).fill('sea');
  await dialogOf(page).getByRole('textbox', { name: 'Replace with' }).fill('lake');
  await expect(dialogOf(page).getByRole('status')).toHaveText('Found: 120 places in 120 scenes.');
  await page.keyboard.press('Enter');
  const files = page.getByRole('navigation', { name: 'Files of the proposal' });
  const tabOf = (day: number) => files.getByRole('button', { name: new RegExp(`^day-${day}\\.txt`) });
  await expect(tabOf(100)).toHaveAttribute('aria-current', 'true');
  await expect(tabOf(149)).toBeAttached();
  await expect(tabOf(150)).toHaveCount(0);
  await files.getByRole('button', { name: '70 more' }).click();
  await expect(tabOf(150)).toHaveAttribute('aria-current', 'true');
  await expect(tabOf(150)).toBeInViewport();
  await files.getByRole('button', { name: '50 earlier' }).click();
  await expect(tabOf(149)).toHaveAttribute('aria-current', 'true');
  await page.setViewportSize({ width: 1024, height: 700 });
  expect((await files.boundingBox())?.height).toBeGreaterThanOrEqual(34);
  await page.setViewportSize({ width: 1440, height: 900 });
  await files.getByRole('button', { name: /^All 120 files/ }).click();
  const list = page.getByRole('dialog').getByRole('list', { name: 'Files of the proposal' });
  await expect(list.getByRole('button', { name: /^day-149/ })).toBeInViewport();
  const scrollTo = (top: number) =>
    list.evaluate((rows, at) => rows.closest('[class*="scroll"]')?.scrollTo(0, at), top);
  await scrollTo(0);
  await list.getByRole('checkbox', { name: 'Accept day-102.txt' }).uncheck();
  // The list grows while its rows are measured: a user scrolls on until the end.
  await expect(async () => {
    await scrollTo(1e6);
    await list.getByRole('button', { name: /^day-219/ }).click({ timeout: 1000 });
  }).toPass();
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(tabOf(219)).toHaveAttribute('aria-current', 'true');
  await reviewOf(page).getByRole('button', { name: 'Accept the 119 chosen files' }).click();
  await expect.poll(() => readScene(projectDir, 'game/scene/day-219.txt')).toBe(':lake;\nend;\n');
  expect(await readScene(projectDir, 'game/scene/day-102.txt')).toBe(':sea;\nend;\n');
});

test('names what Enter does in one scene, deletes nothing by mistake, and keeps the focus', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir, 'game/scene/bridge.txt');
  await writeFile(join(projectDir, 'game/scene/bridge.txt'), `:harbour;\n${before}`);
  await expect(page.getByText(/^3 scenes/)).toBeVisible();
  await page.keyboard.press('Control+Shift+H');
  const dialog = dialogOf(page);
  const [find, replacement] = ['Find', 'Replace with'].map((name) => dialog.getByRole('textbox', { name }));
  await find?.fill('harbour');
  await expect(dialog.getByRole('button', { name: 'Delete the words' })).toBeEnabled();
  for (const key of ['F6', 'Control+Shift+F', 'Control+4']) await page.keyboard.press(key);
  await expect(find ?? dialog).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(replacement ?? dialog).toBeFocused();
  expect(await readScene(projectDir, 'game/scene/bridge.txt')).toBe(`:harbour;\n${before}`);
  await page.keyboard.type('sea');
  await expect(dialog.getByRole('button', { name: 'Replace', exact: true })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => readScene(projectDir, 'game/scene/bridge.txt')).toBe(`:sea;\n${before}`);
  // As the notice says, also when no element had the focus before the dialog.
  await expect(page.getByTestId('code').getByRole('textbox').first()).toBeFocused();
  await page.keyboard.press('Control+Z');
  await expect.poll(() => readScene(projectDir, 'game/scene/bridge.txt')).toBe(`:harbour;\n${before}`);
});
