import { mkdirSync, mkdtempSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handToDesktopUser } from '../support/window/desktop.ts';
import { expect, type RunningApp, test } from './fixtures.ts';

/** The start folder of the app's own chooser, on the host without a system dialog. */
const HOME = mkdtempSync(join(tmpdir(), 'new-game-'));

test.use({ opensProject: false, foldsStage: true, environment: { HOME } });

/** Chooses a folder in the system's dialog or in the app's own chooser. */
async function choose(app: RunningApp, folder: string, name: string): Promise<void> {
  const { page } = app;
  if (app.hasWindow) {
    await app.desktop.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    }, folder);
    await page.getByRole('button', { name: 'Open a game folder' }).click();
    return;
  }
  await page.getByRole('button', { name: 'Open a game folder' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name, exact: true }).click();
  await expect(dialog.locator('[aria-current="location"]')).toHaveText(name);
  await dialog.getByRole('button', { name: 'Open this folder' }).click();
}

test('creates a game with a first scene in an empty folder, by keyboard', async ({ app }) => {
  const { page } = app;
  const folder = join(app.hasWindow ? app.documents : HOME, 'Rain story');
  mkdirSync(folder);
  if (app.hasWindow) handToDesktopUser(folder);
  await choose(app, folder, 'Rain story');

  const alert = page.getByRole('alert').filter({ hasText: 'There is no WebGAL game in' });
  await expect(alert.getByRole('button', { name: 'Open the sample' })).toBeVisible();
  expect(await readdir(folder)).toEqual([]);
  await alert.getByRole('button', { name: 'Make a new game here' }).focus();
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: /Rain story/ })).toBeVisible();
  await expect(page.getByTestId('code').getByText('The rain has stopped')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Problems' }).getByText('No errors or warnings')).toBeVisible();
  expect(await readFile(join(folder, 'game', 'config.txt'), 'utf8')).toContain('Game_name:Rain story;');
  expect(app.pageErrors).toEqual([]);
});

test('leaves a folder with other files unchanged and offers alternatives', async ({ app }) => {
  const { page } = app;
  const folder = join(app.hasWindow ? app.documents : HOME, 'holiday');
  await mkdir(join(folder, 'photos'), { recursive: true });
  if (app.hasWindow) handToDesktopUser(folder);
  await choose(app, folder, 'holiday');
  const alert = page.getByRole('alert').filter({ hasText: 'There is no WebGAL game in' });
  await expect(alert.getByRole('button', { name: 'Open the sample' })).toBeVisible();
  // The app's own chooser stays open, so it needs no button.
  await expect(alert.getByRole('button', { name: 'Choose another folder' })).toHaveCount(app.hasWindow ? 1 : 0);
  await expect(alert.getByRole('button', { name: 'Make a new game here' })).toHaveCount(0);
  expect(await readdir(folder)).toEqual(['photos']);
});
