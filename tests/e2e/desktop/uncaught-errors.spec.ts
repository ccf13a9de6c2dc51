import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, readScene, test } from '../user-actions.ts';

test.use({ foldsStage: true });

test('logs uncaught faults and keeps unsaved text', async ({ app }) => {
  const { page, projectDir, home } = app;
  const before = await readScene(projectDir);
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; typed before');
  await app.desktop.evaluate(() => {
    void Promise.reject(new Error('a stray rejection'));
    setTimeout(() => {
      throw new Error('a stray exception');
    });
  });
  const log = () => readFile(join(home, 'logs', 'desktop.log'), 'utf8').catch(() => '');
  await expect.poll(log).toContain('a stray exception');
  expect(await log()).toContain('a stray rejection');
  await page.keyboard.type(', and after');
  await expect.poll(() => readScene(projectDir)).toBe(`${before}; typed before, and after`);
});
