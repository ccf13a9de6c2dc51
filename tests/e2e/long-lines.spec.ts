import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openScene } from './user-actions.ts';

test.use({ foldsStage: true });

/** Counts how often Monaco asks the browser where characters are; each question takes longer in a longer line. */
const countMeasured = (page: Page) =>
  page.evaluate(`{
    globalThis.measured = 0;
    const { getClientRects } = Range.prototype;
    Range.prototype.getClientRects = function () {
      globalThis.measured += 1;
      return getClientRects.call(this);
    };
  }`);
const readMeasured = (page: Page) => page.evaluate<number>('globalThis.measured');

/** Measured characters at once are bounded; each of their lines takes some questions for each break. */
const MAX_MEASURED = 5_000;

test('opens, edits and saves scenes with a very long line and with very many lines', async ({ app }) => {
  const { page, projectDir } = app;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  // A save refers to the app's copy of the text. In the window it is no request.
  const wholeSaves: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/call/script.save')) wholeSaves.push(request.url());
  });
  await expect(page.getByTestId('code').getByText('小满').first()).toBeVisible();
  const long = `雪:${'🌸雨夜\u2028'.repeat(20_000)};\n:再见;\n`;
  const sentence = '海边的风很大，灯塔一闪一闪，远处有人在唱歌。'.repeat(3);
  const many = Array.from({ length: 20_000 }, (_, line) => `雪:第 ${line} 句，${sentence};`).join('\n');
  const pathOf = (name: string) => join(projectDir, 'game', 'scene', `${name}.txt`);
  await writeFile(pathOf('long'), long);
  await writeFile(pathOf('many'), many);
  await countMeasured(page);
  const lines = page.locator('.view-line');
  const typed = async (name: string, text: string) => {
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(text);
    await expect.poll(() => readFile(pathOf(name), 'utf8')).toContain(text);
  };

  await openScene(page, 'long');
  await expect(lines.filter({ hasText: '🌸雨夜' }).first()).toBeVisible();
  await lines.first().click();
  await typed('long', ':the end;');
  await openScene(page, 'many');
  await expect(lines.filter({ hasText: '第 0 句' }).first()).toBeVisible();
  await lines.first().click();
  await typed('many', ':the end;');

  expect(await readFile(pathOf('long'), 'utf8')).toBe(`${long}:the end;`);
  expect(wholeSaves).toEqual([]);
  expect(dialogs).toEqual([]);
  expect(await readMeasured(page)).toBeLessThan(MAX_MEASURED);
  expect(app.pageErrors).toEqual([]);
});
