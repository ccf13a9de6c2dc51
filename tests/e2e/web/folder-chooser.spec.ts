import { mkdtempSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';

/** The start folder of the app's own chooser. */
const HOME = mkdtempSync(join(tmpdir(), 'folders-'));

test.use({ opensProject: false, foldsStage: true, environment: { HOME } });

test('finds one of very many folders by a part of its name, by keyboard', async ({ app }) => {
  const { page } = app;
  const games = join(HOME, 'games');
  await Promise.all(Array.from({ length: 2050 }, (_, at) => mkdir(join(games, `Tale ${at + 1}`), { recursive: true })));
  await page.getByRole('button', { name: 'Open a game folder' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'games', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Tale 1', exact: true })).toBeVisible();
  // Only those in view are in the page.
  expect(await dialog.getByRole('button', { name: /^Tale/ }).count()).toBeLessThan(60);
  await dialog.getByRole('textbox', { name: 'Filter by name' }).fill('tale 2049');
  await expect(dialog.getByRole('button', { name: /^Tale/ })).toHaveText(['Tale 2049']);
  await dialog.getByRole('button', { name: 'Tale 2049' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.locator('[aria-current="location"]')).toHaveText('Tale 2049');
  await expect(dialog.getByRole('textbox', { name: 'Filter by name' })).toHaveValue('');
  await expect(dialog.getByText('There are no folders in here.')).toBeVisible();
  await dialog.getByRole('button', { name: 'games', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Filter by name' }).fill('no such tale');
  await expect(dialog.getByText('No folder has this in its name.')).toBeVisible();
});
