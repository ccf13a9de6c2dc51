import { chatOf, connectModel, expect, readScene, test } from './user-actions.ts';

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
  // Until the scene is open, keys go to the one before.
  await expect(page.getByText(/bookshop\.txt, line/)).toBeVisible();
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
