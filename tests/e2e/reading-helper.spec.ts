import { ask, chatOf, connectModel, expect, test } from './user-actions.ts';

test.use({ foldsStage: true });

test('lets the helper read the story for a question', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'When does the rain end? [whole]');
  const chat = chatOf(page);
  await expect(chat.getByText('读完了。').first()).toBeVisible();
  await chat.getByRole('button', { name: 'Searched' }).click();
  await expect(chat.getByRole('paragraph').filter({ hasText: 'Read the story: 雨什么时候停？' })).toBeVisible();
  const last = service.requests.findLast(({ body }) => JSON.stringify(body).includes('ask_story'));
  expect(JSON.stringify(last?.body.messages)).toContain('雨停了');
});
