import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './user-actions.ts';

test.describe('with the stage folded', () => {
  test.use({ foldsStage: true });

  test('opens the story bible and every scene', async ({ app }) => {
    const { page } = app;
    await page.getByRole('button', { name: 'Assets', exact: true }).click();
    const assets = page.getByRole('region', { name: 'Work · Assets' });
    await assets.getByText('Scenes', { exact: true }).click();
    await assets.getByRole('list', { name: 'Scenes' }).getByRole('button', { name: 'bridge.txt', exact: true }).click();
    const tabs = page.getByRole('navigation', { name: 'Open files' });
    await expect(tabs.getByRole('button', { name: 'bridge.txt', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Assets', exact: true }).click();
    await assets.getByRole('button', { name: 'Story bible' }).click();
    await expect(page.getByTestId('code').getByText('Characters')).toBeVisible();
  });
});

test('saves the story bible as a file and shows it again', async ({ app }) => {
  const { page, projectDir } = app;
  const read = () => readFile(join(projectDir, 'story-bible.md'), 'utf8');
  const open = page.getByRole('button', { name: 'Story bible' });
  await open.click();
  await expect(page.getByTestId('code').getByText('Characters')).toBeVisible();
  await page.getByTestId('code').getByText('Characters').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('No one dies.');
  await expect.poll(read).toMatch(/^# Story bible\n[\s\S]*## Rules\n\nNo one dies\.$/);
  const written = await read();
  await open.click();
  await expect(page.getByTestId('code').getByText('No one dies.')).toBeVisible();
  expect(await read()).toBe(written);
});
