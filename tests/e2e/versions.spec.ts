import { STORY_VERSIONS } from '../support/games/story-script.ts';
import { ask, chatOf, connectModel, expect, logOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

test('chooses one of three versions side by side, and reviews it', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'How could it begin? [versions]');
  await expect(logOf(page).getByRole('heading', { name: 'Versions to choose from' })).toBeVisible();
  for (const { title } of STORY_VERSIONS) await expect(logOf(page).getByRole('region', { name: title })).toBeVisible();
  await page.getByRole('button', { name: 'View side by side' }).click();
  const dialog = page.getByRole('dialog');
  const columns = dialog.getByRole('region');
  await expect(columns).toHaveCount(3);
  const tops = await columns.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await dialog.getByRole('button', { name: 'Use this one: 重' }).click();
  await expect(dialog).toBeHidden();
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
  await expect(chatOf(page).getByText('重 (Chosen)')).toBeVisible();
  await page.reload();
  await expect(chatOf(page).getByText('重 (Chosen)')).toBeVisible();
  await expect(logOf(page).getByRole('button', { name: 'Use this one: 轻' })).toBeHidden();
});

test('chooses a version with a number key', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'How could it begin? [versions]');
  await logOf(page).getByRole('group', { name: 'The assistant asks' }).focus();
  await page.keyboard.press('3');
  await expect(chatOf(page).getByText('静 (Chosen)')).toBeVisible();
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
});
