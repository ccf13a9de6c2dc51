import { ask, chatOf, connectModel, expect, logOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

const composerOf = (page: Parameters<typeof chatOf>[0]) =>
  chatOf(page).getByRole('textbox', { name: 'Message to the assistant' });
const queueOf = (page: Parameters<typeof chatOf>[0]) => chatOf(page).getByRole('list', { name: 'Messages that wait' });

test('queues messages while the assistant works: edited, removed, kept after a stop and sent', async ({
  app,
  service,
}) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'Talk for a long time [slow]');
  await expect(chatOf(page).getByText(/慢慢说第3句/)).toBeVisible();
  for (const text of ['And then? [empty]', 'Never mind']) {
    await composerOf(page).fill(text);
    await page.keyboard.press('Enter');
    await expect(composerOf(page)).toHaveValue('');
  }
  await expect(queueOf(page).getByRole('listitem')).toHaveText([/And then/, /Never mind/]);

  await chatOf(page).getByRole('button', { name: 'Edit: And then? [empty]' }).click();
  await page.keyboard.type(' changed');
  await page.keyboard.press('Escape');
  await chatOf(page).getByRole('button', { name: 'Edit: And then? [empty]' }).click();
  await page.keyboard.type(' please');
  await page.keyboard.press('Enter');
  await expect(queueOf(page).getByText('And then? [empty] please')).toBeVisible();
  await expect(chatOf(page).getByRole('button', { name: 'Edit: And then? [empty] please' })).toBeFocused();
  await chatOf(page).getByRole('button', { name: 'Remove: Never mind' }).click();
  await expect(queueOf(page).getByRole('listitem')).toHaveCount(1);

  await chatOf(page).getByRole('button', { name: 'Stop' }).click();
  await expect(chatOf(page).getByText(/You stopped the assistant/)).toBeVisible();
  await expect(chatOf(page).getByText('Not sent yet')).toBeVisible();
  await page.reload();
  await chatOf(page).getByRole('button', { name: 'Send: And then? [empty] please' }).click();
  await expect(logOf(page).getByText('And then? [empty] please')).toBeVisible();
  await expect(queueOf(page)).toBeHidden();
});

test('sends a queued message when the assistant has finished', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'Add a line');
  await expect(chatOf(page).getByRole('button', { name: 'Stop' })).toBeVisible();
  await composerOf(page).fill('Once more [empty]');
  await page.keyboard.press('Enter');
  await expect(logOf(page).getByText('Once more [empty]')).toBeVisible();
  await expect(composerOf(page)).toHaveValue('');
});

test('edits an earlier message and sends it again; what followed is set aside and comes back', async ({
  app,
  service,
}) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'First thought [empty]');
  await expect(chatOf(page).getByRole('button', { name: 'Edit and send again' })).toBeAttached();
  await chatOf(page).getByRole('button', { name: 'Edit and send again' }).focus();
  await page.keyboard.press('Enter');
  await expect(chatOf(page).getByRole('textbox', { name: 'Your message' })).toBeFocused();
  await page.keyboard.press('Escape');
  await chatOf(page).getByRole('button', { name: 'Edit and send again' }).click();
  await chatOf(page).getByRole('textbox', { name: 'Your message' }).fill('Second thought [empty]');
  await chatOf(page).getByRole('button', { name: 'Send again' }).click();
  await expect(logOf(page).getByText('Second thought [empty]')).toBeVisible();
  await expect(logOf(page).getByText('First thought [empty]')).toBeHidden();
  const aside = logOf(page).getByRole('button', { name: /set aside/ });
  await aside.click();
  await expect(logOf(page).getByText('First thought [empty]')).toBeVisible();
  await aside.click();
  await logOf(page).getByRole('button', { name: 'Undo' }).click();
  await expect(logOf(page).getByText('First thought [empty]')).toBeVisible();
  await expect(logOf(page).getByText('Second thought [empty]')).toBeHidden();
});

test('a text that is too long for a message stays whole, says so, and is sent once it is shorter', async ({
  app,
  service,
}) => {
  const { page } = app;
  await connectModel(page, service.url);
  const field = composerOf(page);
  await field.focus();
  await page.keyboard.insertText(`First ${'long '.repeat(20_000)}last [empty]`);
  await expect(field).toHaveValue(/last \[empty\]$/);
  await expect(field).toHaveAccessibleDescription(/100,000/);
  await expect(chatOf(page).getByRole('alert')).toHaveText(/^This has 100,018 characters; a message can have 100,000/);
  await expect(chatOf(page).getByRole('button', { name: 'Send' })).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(/last \[empty\]$/);

  await field.evaluate((element) => {
    const data = new DataTransfer();
    data.setData('text/plain', 'x'.repeat(950_000));
    element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
  });
  await expect(page.getByText('far too long for a message')).toBeVisible();

  await field.press('Control+a');
  await page.keyboard.insertText('Shorter [empty]');
  await expect(chatOf(page).getByRole('alert')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(logOf(page).getByText('Shorter [empty]')).toBeVisible();
});
