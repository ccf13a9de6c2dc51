import { ask, chatOf, connectModel, expect, logOf, readScene, test } from './user-actions.ts';

test.use({ foldsStage: true });

const composerOf = (page: Parameters<typeof chatOf>[0]) =>
  chatOf(page).getByRole('textbox', { name: 'Message to the assistant' });

test('keeps the composer, the open file, the cursor and the scroll position over a reload', async ({
  app,
  service,
}) => {
  const { page, projectDir } = app;
  await connectModel(page, service.url);
  await page.getByRole('button', { name: 'Show the stage' }).click();
  await page.getByRole('button', { name: /^bookshop\.txt/ }).click();
  const code = page.getByTestId('code');
  await code.locator('.view-line').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await expect(page.getByText(/bookshop\.txt, line 47/)).toBeVisible();
  await chatOf(page).getByText('Write', { exact: true }).click();
  await composerOf(page).fill('Not sent yet');

  await page.reload();
  await expect(composerOf(page)).toHaveValue('Not sent yet');
  await expect(chatOf(page).getByRole('radio', { name: 'Write' })).toBeChecked();
  await expect(page.getByText(/bookshop\.txt, line 47/)).toBeVisible();
  await expect(code.getByText('47', { exact: true })).toBeInViewport();
  const before = await readScene(projectDir, 'game/scene/bookshop.txt');
  await code.locator('textarea, .native-edit-context').first().focus();
  await page.keyboard.type('; here');
  const expected = before.split('\n');
  expected[46] = `; here${expected[46]}`;
  await expect.poll(() => readScene(projectDir, 'game/scene/bookshop.txt')).toBe(expected.join('\n'));
});

test('shows only the open file while the other tabs load after a reload', async ({ app }) => {
  const { page } = app;
  await page.getByRole('button', { name: 'Show the stage' }).click();
  const tabs = page.getByRole('navigation', { name: 'Open files' });
  for (const name of ['bookshop.txt', 'bridge.txt'])
    await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await expect(tabs.getByRole('listitem')).toHaveText(['start.txt', 'bookshop.txt', 'bridge.txt']);
  await tabs.getByRole('button', { name: 'bookshop.txt', exact: true }).click();
  await page.addInitScript(() => {
    const shown = new Set<string>();
    Object.assign(window, { shown });
    new MutationObserver(() => {
      const name = document.querySelector('[aria-label="Open files"] [aria-current]')?.textContent;
      if (name) shown.add(name);
    }).observe(document, { attributes: true, childList: true, subtree: true });
  });
  await page.reload();
  await expect(tabs.getByRole('listitem')).toHaveText(['start.txt', 'bookshop.txt', 'bridge.txt']);
  await expect(page.getByText(/bookshop\.txt, line 1/)).toBeVisible();
  expect(await page.evaluate('[...window.shown]')).toEqual(['bookshop.txt']);
});

test('moves the focus to the text after New scene', async ({ app }) => {
  const { page, projectDir } = app;
  await page.getByRole('button', { name: 'Show the stage' }).click();
  await page.getByRole('button', { name: 'New scene' }).click();
  await page.getByRole('textbox', { name: 'Name of the new scene' }).fill('harbour');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('code').locator('.focused').first()).toBeVisible();
  await page.keyboard.type(':The harbour at night.;');
  await expect
    .poll(() => readScene(projectDir, 'game/scene/harbour.txt').catch(() => ''))
    .toBe(':The harbour at night.;');
});

test('sends a message queued with Enter when the assistant has finished, and keeps it when it was stopped', async ({
  app,
  service,
}) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'Talk for a long time [slow]');
  await expect(chatOf(page).getByText(/慢慢说第3句/)).toBeVisible();
  await composerOf(page).fill('And then? [empty]');
  await page.keyboard.press('Enter');
  await expect(chatOf(page).getByText('Sends when the assistant has finished.')).toBeVisible();
  await expect(composerOf(page)).toHaveValue('And then? [empty]');
  await page.keyboard.press('Escape');
  await expect(chatOf(page).getByText('Sends when the assistant has finished.')).toBeHidden();
  await page.keyboard.press('Enter');
  await chatOf(page).getByRole('button', { name: 'Stop' }).click();
  await expect(chatOf(page).getByText(/You stopped the assistant/)).toBeVisible();
  await expect(chatOf(page).getByText('Sends when the assistant has finished.')).toBeHidden();
  await expect(composerOf(page)).toHaveValue('And then? [empty]');

  await composerOf(page).fill('Add a line');
  await page.keyboard.press('Enter');
  await expect(chatOf(page).getByRole('button', { name: 'Stop' })).toBeVisible();
  await composerOf(page).fill('Once more [empty]');
  await page.keyboard.press('Enter');
  await expect(logOf(page).getByText('Once more [empty]')).toBeVisible();
  await expect(composerOf(page)).toHaveValue('');
});
