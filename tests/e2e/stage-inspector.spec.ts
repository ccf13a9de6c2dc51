import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(300_000);
test.use({ opensProject: true });

/** An engine that draws in software beside other work does not always answer in two seconds. */
const whenBusy = { timeout: 90_000 };

const engine = (page: Page) => page.frameLocator('iframe');
const inspect = (page: Page) => page.getByRole('button', { name: 'Stage and variables' }).click();

test('tries another pose on the stage, writes it into the scene, and takes it back', async ({ app }) => {
  const { page } = app;
  const scene = join(app.projectDir, 'game/scene/start.txt');
  const before = await readFile(scene, 'utf8');
  await expect(engine(page).locator('#textBoxMain')).toContainText('六月');
  await inspect(page);
  const [name] = await page
    .getByRole('button', { name: /^Pose of / })
    .evaluateAll((all) => all.map((each) => each.ariaLabel ?? ''));
  await page.getByRole('button', { name: name ?? '' }).click();
  const form = page.getByRole('group', { name: name ?? '' });
  const words = page.getByRole('table', { name: 'On the stage' });
  const set = (field: string, value: string, seen: string) =>
    expect(async () => {
      await form.getByRole('textbox', { name: field }).fill('90');
      await form.getByRole('textbox', { name: field }).fill(value);
      await expect(words).toContainText(seen, { timeout: 4_000 });
    }).toPass(whenBusy);
  await set('Width', '-150', 'mirrored');
  await set('Opacity', '40', '60 % see-through');
  expect(await readFile(scene, 'utf8')).toBe(before);
  await form.getByRole('button', { name: 'Write into the scene' }).click();
  const line = 'setTransform:{"position":{"x":0,"y":0},"scale":{"x":-1.5,"y":1},"rotation":0,"alpha":0.4} -target=';
  await expect.poll(() => readFile(scene, 'utf8')).toContain(line);
  await page.keyboard.press('Escape');
  await test.step('the written line plays, at the same sentence', async () => {
    await expect(engine(page).locator('#textBoxMain')).toContainText('六月');
    await inspect(page);
    await expect(words).toContainText('60 % see-through');
    await page.keyboard.press('Escape');
  });
  await page.getByTestId('code').click();
  await page.keyboard.press('ControlOrMeta+Z');
  await expect.poll(() => readFile(scene, 'utf8')).toBe(before);
});

test('hides the text box of the running game and shows it again', async ({ app }) => {
  const { page } = app;
  const box = engine(page).locator('#textBoxMain');
  const toggle = async () => {
    await page.getByRole('button', { name: 'More for the stage' }).click();
    await page.getByRole('menuitem', { name: 'Text box off or on' }).click();
  };
  await expect(box).toContainText('六月');
  for (const count of [0, 1]) {
    await expect(async () => {
      await toggle();
      await expect(box).toHaveCount(count, { timeout: 4_000 });
    }).toPass(whenBusy);
  }
  await expect(box).toContainText('六月');
});
