import { ask, chatOf, connectModel, expect, test } from './user-actions.ts';

test.use({ foldsStage: true });

test('renames a conversation, also for the list of conversations after a reload', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'Is it raining? [ask]');
  await expect(chatOf(page).getByText('雨是下在白天，还是夜里？').first()).toBeVisible();
  await page.getByRole('button', { name: 'Conversations' }).click();
  await page.getByRole('button', { name: 'Actions for Is it raining? [ask]' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await expect(title).toHaveValue('Is it raining? [ask]');
  await title.fill('Rain at night');
  await page.keyboard.press('Enter');
  await expect(title).toBeHidden();
  await page.reload();
  await page.getByRole('button', { name: 'Conversations' }).click();
  await expect(page.getByRole('button', { name: /^Rain at night/ })).toBeVisible();
});
