import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import { readScene } from './user-actions.ts';

test('inserts the line that shows a picture where it is dropped, as one step of undo', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await page.getByRole('button', { name: /^Backgrounds/ }).click();
  const picture = page.getByRole('button', { name: 'bridge.webp' });
  const line = page.getByTestId('code').getByText('我站在旧书店');
  await picture.dragTo(line);
  const after = before.replace(/^(:我站在旧书店.*)$/m, '$1\nchangeBg:bridge.webp -next;');
  await expect.poll(() => readScene(projectDir)).toBe(after);
  await page.keyboard.press('Control+Z');
  await expect.poll(() => readScene(projectDir)).toBe(before);
  // The last line is empty: it becomes the statement.
  await page.getByRole('button', { name: 'bookshop.txt', exact: true }).dragTo(page.locator('.view-line').last());
  await expect.poll(() => readScene(projectDir)).toBe(`${before}changeScene:bookshop.txt;`);
});

test('says that no line of a script shows an animation, and takes no text of a drag from outside', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await page.getByRole('button', { name: /^Animations/ }).click();
  const line = page.getByTestId('code').getByText('我站在旧书店');
  await page
    .getByRole('region', { name: 'Animations' })
    .getByRole('button', { name: /\.json$/ })
    .first()
    .dragTo(line);
  await expect(page.getByText(/cannot be inserted/)).toBeVisible();
  await line.evaluate((element) => {
    const { x, y } = element.getBoundingClientRect();
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('application/x-webgal-agent-path', 'game/background/street.webp');
    for (const type of ['dragover', 'drop'])
      element.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, clientX: x + 5, clientY: y + 5 }),
      );
  });
  await page.waitForTimeout(1500);
  expect(await readScene(projectDir)).toBe(before);
});

test.describe('an engine that joins lines', () => {
  test.use({ gameEngine: ';' });

  test('gets a dropped file below the whole statement', async ({ app }) => {
    const { projectDir } = app;
    for (const name of ['webgal-engine.json', 'assets/index-own.js']) {
      const file = join(projectDir, name);
      await writeFile(file, (await readFile(file, 'utf8')).replace('4.6.0', '4.6.3'));
    }
    const scene = ':sea;\nchoose:One:start.txt\n  |Two:bridge.txt\n  -next;\nend;\n';
    await writeFile(join(projectDir, 'game/scene/start.txt'), scene);
    await app.restart();
    const { page } = app;
    await page.getByRole('button', { name: /^Backgrounds/ }).click();
    const line = page.getByTestId('code').getByText('choose');
    await page.getByRole('button', { name: 'bridge.webp' }).dragTo(line);
    await expect
      .poll(() => readScene(projectDir))
      .toBe(scene.replace('-next;\n', '-next;\nchangeBg:bridge.webp -next;\n'));
  });
});
