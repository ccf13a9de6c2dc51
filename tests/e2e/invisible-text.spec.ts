import { askForProposal, chatOf, connectModel, expect, readScene, reviewOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

// The editor renders spaces as non-breaking spaces, which `\s` matches.
const OVERRIDE = /U\+202E\sRIGHT-TO-LEFT\sOVERRIDE/;
const LETTER = /U\+0441\sCYRILLIC\sLETTER/;

test('spells out invisible text of a proposal in the review and in the history and marks long gaps', async ({
  app,
  service,
}) => {
  const { page, projectDir } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await askForProposal(page, 'Add something [unseen]');
  const review = reviewOf(page);
  await expect(review.getByText(OVERRIDE).first()).toBeVisible();
  await expect(review.getByText(LETTER).first()).toBeVisible();
  await expect(review.getByText('far below').first()).toBeVisible();

  await review.getByText('Text', { exact: true }).click();
  await expect(review.getByText(OVERRIDE).first()).toBeVisible();
  await expect(review.getByText(LETTER).first()).toBeVisible();
  await expect(review.getByText(/3000\sempty\slines/).first()).toBeVisible();
  await expect(review.getByText(/:far\sbelow;/).first()).toBeVisible();

  await chatOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(':gentle\u202e rain;');
  await page.keyboard.press('Control+4');
  const history = page.getByRole('region', { name: /History/ });
  await history.getByRole('listitem').first().getByRole('button').first().click();
  await expect(history.getByText(OVERRIDE).first()).toBeVisible();
  await expect(history.getByText(/3000\sempty\slines/).first()).toBeVisible();
  await expect(history.getByText(/:far\sbelow;/).first()).toBeVisible();
});

test('reports a proposal that changes only line endings', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await askForProposal(page, 'Change the endings [endings]');
  await expect(reviewOf(page).getByText('Only the line endings change; the text stays the same.')).toBeVisible();
});
