import { askForProposal, connectModel, expect, reviewOf, test } from './user-actions.ts';

// Two engines draw in software.
test.setTimeout(180_000);

test('plays the saved text beside the proposal, follows it, and ends with the proposal', async ({ app, service }) => {
  const { page } = app;
  const whenDrawn = { timeout: 60_000 };
  await connectModel(page, service.url);
  await askForProposal(page);
  const stage = page.getByRole('region', { name: 'Stage', exact: true });
  // The engine draws each letter three times.
  const words = /敲.*窗/;
  const played = page.frameLocator('iframe[title="The game as it plays"]').locator('#textBoxMain');
  const other = page.frameLocator('iframe[title="The other text of the game as it plays"]').locator('#textBoxMain');

  await test.step('the proposal is on the stage, the saved text beside it at the same place', async () => {
    await reviewOf(page).getByRole('button', { name: 'Play', exact: true }).click();
    await expect(played).toContainText(words, whenDrawn);
    await stage.getByRole('button', { name: 'Saved text and proposal side by side' }).click();
    await expect(other).toHaveText(/\S/, whenDrawn);
    await expect(other).not.toContainText(words);
  });

  await test.step('they change places', async () => {
    await stage.getByText('Current', { exact: true }).first().click();
    await expect(other).toContainText(words, whenDrawn);
    await expect(played).not.toContainText(words, whenDrawn);
  });

  await test.step('the comparison ends with the proposal', async () => {
    await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
    await expect(page.locator('iframe')).toHaveCount(1);
  });
  expect(app.pageErrors).toEqual([]);
});
