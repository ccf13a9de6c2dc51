import { ask, chatOf, connectModel, expect, logOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

test('answers a question with a number key, and shows after a reload what was chosen', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'When does it rain? [choose]');
  const options = logOf(page).getByRole('group', { name: 'The assistant asks' });
  await expect(options.getByRole('button')).toHaveText([/白天/, /夜里/, /黄昏/]);
  await options.focus();
  await page.keyboard.press('2');
  await expect(chatOf(page).getByText('夜里 (Chosen)')).toBeVisible();
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
  await page.reload();
  await expect(chatOf(page).getByText('夜里 (Chosen)')).toBeVisible();
  await expect(options).toBeHidden();
});

test('sends several options and own words as one answer', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'When does it rain? [choose] [several]');
  const options = logOf(page).getByRole('group', { name: 'Choose one or more' });
  await options.getByRole('checkbox', { name: '白天' }).click();
  await options.getByRole('checkbox', { name: '黄昏' }).click();
  await expect(options.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await logOf(page).getByRole('textbox', { name: 'Answer in your own words…' }).fill('but softly');
  await page.keyboard.press('Enter');
  await expect(chatOf(page).getByText('but softly')).toBeVisible();
  // The page shows the answer before the app sends it.
  const sent = () => JSON.stringify(service.requests.map(({ body }) => body.messages));
  await expect.poll(sent).toContain('“白天”\\n“黄昏”\\nbut softly');
});
