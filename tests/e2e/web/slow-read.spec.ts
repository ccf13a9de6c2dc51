import { expect, test } from '../fixtures.ts';

test('reports no problem of a scene that is still being read', async ({ app }) => {
  const { page } = app;
  await expect(page.getByText(/^\d+ scenes/)).toBeVisible();
  let answer = () => {};
  const isWanted = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/call/script.read', async (route) => {
    if (route.request().postData()?.includes('start.txt')) await isWanted;
    await route.continue();
  });
  await page.reload();
  // Told once the whole game is checked.
  await expect(page.getByText(/^\d+ scenes/)).toBeVisible();
  await expect(page.getByText('Nothing is in this scene yet')).toHaveCount(0);
  answer();
  await expect(page.getByTestId('code').getByText('小满').first()).toBeVisible();
  await expect(page.getByText('Nothing is in this scene yet')).toHaveCount(0);
});
