import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toPng } from '../../support/games/png-file.ts';
import { handToDesktopUser } from '../../support/window/desktop.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';

test.setTimeout(120_000);
test.use({ opensProject: false });

/** Drags a file or folder over the window and drops it, with the events that Chromium sends for the system's drag. */
async function drop({ page }: RunningApp, path: string, at = { x: 300, y: 300 }): Promise<void> {
  const chromium = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await chromium.send('Input.dispatchDragEvent', { type, ...at, data });
  }
  await chromium.detach();
}

test('opens a folder dropped on the window and refuses a file with a message', async ({ app }) => {
  const { page, projectDir, documents } = app;
  await expect(page.getByRole('button', { name: 'Guided tour' })).toBeVisible();
  const url = page.url();
  await drop(app, join(projectDir, 'game', 'config.txt'));
  await expect(page.getByText('Drop the folder of a game here, not a single file. Pictures')).toBeVisible();
  expect(page.url()).toBe(url);

  // The page must not receive the drop event.
  await page.evaluate("window.drops = 0; window.addEventListener('drop', () => { window.drops += 1; })");
  await drop(app, projectDir);
  await expect(page.locator('#region-middle')).toBeVisible();
  expect(await page.evaluate('window.drops')).toBe(0);

  const other = join(documents, 'other');
  await mkdir(join(other, 'game', 'scene'), { recursive: true });
  await writeFile(join(other, 'game', 'config.txt'), 'Game_name:Other shore;\n');
  await writeFile(join(other, 'game', 'scene', 'start.txt'), 'Two:hello;\n');
  handToDesktopUser(other);
  await drop(app, other);
  await expect(page.getByRole('heading', { name: /Other shore/ })).toBeVisible();
  expect(page.url()).toBe(url);
  expect(app.pageErrors).toEqual([]);
});

test('adds a picture that is dropped on the list of scenes and assets', async ({ app }) => {
  const { page, projectDir, documents } = app;
  await expect(page.getByRole('button', { name: 'Guided tour' })).toBeVisible();
  await drop(app, projectDir);
  await expect(page.locator('#region-middle')).toBeVisible();
  const picture = join(documents, 'harbour.png');
  await writeFile(picture, toPng(160, 90));
  handToDesktopUser(picture);
  await page.keyboard.press('Control+3');
  const view = page.getByRole('region', { name: 'Work · Assets' });
  await expect(view.getByText('bookshop.webp')).toBeVisible();
  const box = await view.boundingBox();
  await drop(app, picture, { x: (box?.x ?? 0) + 200, y: (box?.y ?? 0) + 300 });
  await expect(page.getByText('Add 1 file to the game')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Work · Review' }).locator('img')).toBeVisible();
  expect(app.pageErrors).toEqual([]);
});
