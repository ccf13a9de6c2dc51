import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './user-actions.ts';

const SCENE = 'game/scene/start.txt';

test.use({ foldsStage: true });

/** Returns the path of a picture of the game. */
async function findPicture(projectDir: string): Promise<string> {
  const names = await readdir(join(projectDir, 'game/background'));
  return `game/background/${names.find((name) => /\.(png|webp|jpe?g)$/.test(name))}`;
}

async function openStates(page: Page) {
  await page.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('region', { name: /History/ });
  await history.getByText('Whole game').click();
  return history;
}

test('brings a deleted picture back from a kept state, and undoes that', async ({ app }) => {
  const { page, projectDir } = app;
  const picture = await findPicture(projectDir);
  const file = join(projectDir, picture);
  const bytes = await readFile(file);
  const scene = await readFile(join(projectDir, SCENE), 'utf8');
  const history = await openStates(page);
  await history.getByRole('textbox', { name: 'Name of this state' }).fill('Before the rain');
  await history.getByRole('button', { name: 'Keep this state' }).click();
  await expect(page.getByText(/\d+ files are kept\./)).toBeVisible();

  await rm(file);
  await writeFile(join(projectDir, SCENE), `${scene}\n:later;`);
  await writeFile(join(projectDir, 'game/background/later.png'), bytes);
  await history.getByRole('button', { name: /Before the rain/ }).click();
  const files = history.getByRole('list', { name: 'Files that differ' });
  const row = files.getByRole('listitem').filter({ hasText: picture.replace('game/', '') });
  await expect(row).toContainText('not there any more');
  await expect(row.getByRole('img', { name: 'In the kept state' })).toBeVisible();
  const added = files.getByRole('listitem').filter({ hasText: 'later.png' });
  await expect(added).toContainText('came later');
  await expect(added.getByRole('img', { name: 'Now' })).toBeVisible();
  await expect(files.getByRole('img')).toHaveCount(2);
  await row.getByRole('button').click();
  await expect(history.getByRole('figure').getByRole('img', { name: 'In the kept state' })).toBeVisible();
  await files.getByRole('button', { name: /scene\/start\.txt/ }).click();
  // As a story first, and as text.
  const story = history.getByRole('region', { name: /scene\/start\.txt/ });
  await expect(story.getByRole('listitem').filter({ hasText: 'Added: later' })).toBeVisible();
  await history.getByText('Text', { exact: true }).click();
  await expect(history.getByText(':later;').filter({ visible: true }).first()).toBeVisible();

  // The scene stays as it is; only the picture comes back.
  await files.getByRole('checkbox', { name: /Restore scene\/start\.txt/ }).uncheck();
  await history.getByRole('button', { name: 'Restore 1 file' }).click();
  await expect(page.getByText('1 file is restored.')).toBeVisible();
  expect(await readFile(file)).toEqual(bytes);
  expect(await readFile(join(projectDir, SCENE), 'utf8')).toContain(':later;');
  await access(join(projectDir, 'game/background/later.png'));

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect
    .poll(() =>
      access(file).then(
        () => true,
        () => false,
      ),
    )
    .toBe(false);
  await expect(history.getByText('Before a restore').first()).toBeVisible();

  await history.getByRole('button', { name: /Restore \d+ files/ }).click();
  await expect(page.getByText(/files are restored\./)).toBeVisible();
  expect(await readFile(file)).toEqual(bytes);
  expect(await readFile(join(projectDir, SCENE), 'utf8')).toBe(scene);
});

test('closes the tab of a scene that the restored state does not have', async ({ app }) => {
  const { page, projectDir } = app;
  const history = await openStates(page);
  await history.getByRole('textbox', { name: 'Name of this state' }).fill('Early');
  await history.getByRole('button', { name: 'Keep this state' }).click();
  await expect(page.getByText(/\d+ files are kept\./)).toBeVisible();
  const later = join(projectDir, 'game/scene/later.txt');
  await writeFile(later, ':later;\n');
  await page.keyboard.press('Control+3');
  const assets = page.getByRole('region', { name: 'Work · Assets' });
  await assets.getByText('Scenes', { exact: true }).click();
  await assets.getByRole('list', { name: 'Scenes' }).getByRole('button', { name: 'later.txt', exact: true }).click();
  const tabs = page.getByRole('navigation', { name: 'Open files' });
  await expect(tabs).toContainText('later.txt');

  await openStates(page);
  await history.getByRole('button', { name: /Early/ }).click();
  const files = history.getByRole('list', { name: 'Files that differ' });
  await files.getByRole('listitem').filter({ hasText: 'later.txt' }).getByRole('checkbox').check();
  await history.getByRole('button', { name: /^Restore/ }).click();
  await expect
    .poll(() =>
      access(later).then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone');
  await page.keyboard.press('Control+1');
  await expect(tabs).not.toContainText('later.txt');
});
