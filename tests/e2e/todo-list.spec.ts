import { ask, chatOf, connectModel, expect, test } from './user-actions.ts';

test.use({ foldsStage: true });

test('shows the progress of long work above the message field, also after a reload', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'Write three scenes [todo]');
  const list = chatOf(page).getByRole('region', { name: 'To do' });
  await expect(list.getByRole('button')).toHaveText('1 of 3车站');
  await list.getByRole('button').click();
  await expect(list.getByRole('listitem')).toHaveText([
    /雨夜 \(Done\)/,
    /车站 \(In progress\)/,
    /清晨 \(Not started\)/,
  ]);
  await chatOf(page).getByRole('button', { name: 'Stop' }).click();
  await expect(chatOf(page).getByText('You stopped the assistant.')).toBeVisible();
  await page.reload();
  await expect(list.getByRole('button')).toHaveText('1 of 3车站');
});
