import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { toPng } from '../support/games/png-file.ts';
import { test } from './fixtures.ts';
import { reviewOf } from './user-actions.ts';

const SEA = toPng(160, 90);
const FACE = toPng(90, 160);
const assetsOf = (page: Page) => page.getByRole('region', { name: 'Work · Assets' });

interface Dropped {
  name: string;
  bytes: readonly number[];
}

/** Drops files from outside, as a file manager does. Returns whether the browser is kept from opening them in place of the page. */
const drop = (page: Page, selector: string, files: Dropped[]) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, dropped) => {
      const dataTransfer = new DataTransfer();
      for (const { name, bytes } of dropped)
        dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
      return ['dragover', 'drop'].map(
        (type) => !element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
      );
    }, files);

test('adds pictures from the computer with one change, after a review, and takes them back', async ({ app }) => {
  const { page, projectDir } = app;
  await page.getByRole('button', { name: 'Assets', exact: true }).click();
  const choosing = page.waitForEvent('filechooser');
  await assetsOf(page).getByRole('button', { name: 'Add files…' }).click();
  const chooser = await choosing;
  expect(chooser.isMultiple()).toBe(true);
  await chooser.setFiles([
    { name: '海边 - 夜.jpg', mimeType: 'image/jpeg', buffer: SEA },
    { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') },
    { name: 'page.gif', mimeType: 'image/gif', buffer: Buffer.from('<html>') },
  ]);
  await expect(page.getByText(/^Not added: notes\.png, page\.gif\. This is neither a picture/)).toBeVisible();
  await expect(reviewOf(page).getByText('Add 1 file to the game')).toBeVisible();
  await expect(reviewOf(page).locator('img')).toBeVisible();
  const path = join(projectDir, 'game/background/海边_ 夜.png');
  await expect(stat(path)).rejects.toThrow('ENOENT');
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readFile(path).catch(() => null)).toEqual(SEA);
  await page.getByRole('button', { name: 'Assets', exact: true }).click();
  await expect(assetsOf(page).getByText('海边_ 夜.png')).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => stat(path).catch(({ code }: NodeJS.ErrnoException) => code)).toBe('ENOENT');
});

test('takes files that are dropped on the lists, and refuses them elsewhere', async ({ app }) => {
  const { page, projectDir } = app;
  const [sea, face] = [[...SEA], [...FACE]];
  expect(await drop(page, 'header', [{ name: 'sea.png', bytes: sea }])).toEqual([true, true]);
  await page.waitForTimeout(500);
  await expect(page.getByRole('region', { name: 'Work · Write' })).toBeVisible();
  const dropped = [
    { name: 'sea.png', bytes: sea },
    { name: 'face.png', bytes: face },
    { name: 'SEA.png', bytes: [...toPng(161, 90)] },
  ];
  expect(await drop(page, '[aria-label="Find by name"]', dropped)).toEqual([true, true]);
  await expect(reviewOf(page).getByText('Add 3 files to the game')).toBeVisible();
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readFile(join(projectDir, 'game/figure/face.png')).catch(() => null)).toEqual(FACE);
  expect(await readFile(join(projectDir, 'game/background/sea.png'))).toEqual(SEA);
  expect((await stat(join(projectDir, 'game/background/SEA_2.png'))).isFile()).toBe(true);

  await test.step('names the replacement of a file of the game', async () => {
    const again = [
      { name: 'sea.png', bytes: [...toPng(162, 90)] },
      { name: 'new.png', bytes: [...toPng(163, 90)] },
    ];
    await drop(page, '[aria-label="Find by name"]', again);
    await expect(reviewOf(page).getByText('Add 1 file to the game and replace 1')).toBeVisible();
    await reviewOf(page).getByRole('button', { name: 'Discard', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Work · Write' })).toBeVisible();
    await drop(page, '[aria-label="Find by name"]', again.slice(0, 1));
    await expect(reviewOf(page).getByText('Replace 1 file of the game')).toBeVisible();
  });
});

test('waits for the user who writes while files are added, and for the decision on those before', async ({ app }) => {
  const { page, projectDir } = app;
  const code = page.getByTestId('code');
  await code.getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  // Keys are pressed while the answer about the file is on its way.
  const typing = page.keyboard.type('; still writing here', { delay: 30 });
  const many = Array.from({ length: 12 }, (_, at) => ({ name: `s${at}.png`, bytes: [...toPng(300 + at, 200)] }));
  await drop(page, '[aria-label="Find by name"]', many);
  await typing;
  await expect(page.getByText('The files can be reviewed.')).toBeVisible();
  await expect(code).toContainText('still writing here');
  await expect.poll(() => readFile(join(projectDir, 'game/scene/start.txt'), 'utf8')).toContain('; still writing here');

  await drop(page, '[aria-label="Find by name"]', [{ name: 'late.png', bytes: [...SEA] }]);
  await expect(page.getByText('A proposal is waiting for you.')).toBeVisible();
});
