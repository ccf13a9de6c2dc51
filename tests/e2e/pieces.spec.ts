import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORY_SCENE, toSevenChanges } from '../support/games/story-script.ts';
import { ask, askForProposal, chatOf, connectModel, expect, readScene, reviewOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

const tick = (page: Parameters<typeof reviewOf>[0], number: number) =>
  reviewOf(page).getByRole('checkbox', { name: `Take change ${number}`, exact: true });

test.beforeEach(async ({ app, service }) => {
  await connectModel(app.page, service.url);
  await app.page.keyboard.press('Control+1');
  await askForProposal(app.page, 'Write about the rain [seven]');
  await expect(tick(app.page, 7)).toBeVisible();
});

test('accepts three changes of seven, one in the words of the user, and the model is told', async ({
  app,
  service,
}) => {
  const { page, projectDir } = app;
  const review = reviewOf(page);
  for (const number of [1, 4, 6, 7]) await tick(page, number).uncheck();
  await review.getByRole('button', { name: 'Change 3: Edit' }).click();
  await review.getByRole('textbox', { name: 'Text of change 3' }).fill(':我自己写的雨。;\n:两行。;');
  await review.getByRole('button', { name: 'Done' }).click();
  await expect(review.getByText('Your wording')).toBeVisible();
  await expect(review.getByText('我自己写的雨。')).toBeVisible();
  await review.getByRole('button', { name: 'Accept ticked (3 of 7)' }).click();
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();
  const written = await readScene(projectDir);
  expect(
    ['第1句', '第2句', '第3句', '第4句', '第5句', '我自己写的雨。;\n:两行', 'label:rain'].map((text) =>
      written.includes(text),
    ),
  ).toEqual([false, true, false, false, true, true, false]);

  // What was left still waits, unticked, and nothing else of it is accepted by mistake.
  await expect(tick(page, 4)).not.toBeChecked();
  await expect(tick(page, 5)).toBeHidden();
  await expect(review.getByRole('button', { name: 'Nothing is ticked' })).toBeVisible();
  await ask(page, 'And now?');
  await expect(chatOf(page).getByText('Proposal: 1 file').nth(2)).toBeVisible();
  const told =
    service.requests.map(({ body }) => JSON.stringify(body)).find((body) => body.includes('changedByUser')) ?? '';
  for (const text of ['accepted only a part', 'linesOfUser', '我自己写的雨。', 'notAccepted', '雨的第4句'])
    expect(told).toContain(text);
});

test('ticks with the keyboard in both views', async ({ app }) => {
  const { page } = app;
  const review = reviewOf(page);
  await review.getByRole('region', { name: 'Story: start.txt' }).focus();
  await page.keyboard.press('n');
  await page.keyboard.press(' ');
  await expect(tick(page, 2)).not.toBeChecked();
  await expect(
    review.getByRole('status').filter({ hasText: 'Change 2 is left out. 6 of 7 changes are ticked.' }),
  ).toBeAttached();
  await page.keyboard.press('p');
  await page.keyboard.press(' ');
  await expect(tick(page, 1)).not.toBeChecked();

  await review.getByText('Text', { exact: true }).click();
  await expect(tick(page, 1)).not.toBeChecked();
  await review.getByTestId('diff').or(review.locator('.monaco-diff-editor')).first().click();
  await page.keyboard.press('n');
  await expect(tick(page, 2)).not.toBeChecked();
  await page.keyboard.press(' ');
  await expect(tick(page, 2)).toBeChecked();
  await expect(review.getByRole('button', { name: 'Accept ticked (6 of 7)' })).toBeVisible();
});

test('warns before half of what belongs together is accepted, and takes the rest with one click', async ({ app }) => {
  const { page, projectDir } = app;
  const review = reviewOf(page);
  const before = await readScene(projectDir);
  await tick(page, 7).uncheck();
  await expect(review.getByText('Change 6 jumps to the label “rain”')).toBeVisible();
  await expect(review.getByText('What is ticked would bring 1 new problem')).toBeVisible();
  await review.getByRole('button', { name: 'Take it too' }).click();
  await expect(review.getByText('Change 6 jumps to the label')).toBeHidden();
  await expect(tick(page, 7)).toBeChecked();

  // The first time it stops, also when it is faster than the check.
  await tick(page, 7).uncheck();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Nothing is written yet: what you ticked needs')).toBeVisible();
  expect(await readScene(projectDir)).toBe(before);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => readScene(projectDir)).toContain('jumpLabel:rain;');
  expect(await readScene(projectDir)).not.toContain('label:rain;\n:');
});

test('keeps the ticks when the file changes elsewhere while pieces wait, and shows a conflict of the rest', async ({
  app,
}) => {
  const { page, projectDir } = app;
  const review = reviewOf(page);
  const before = await readScene(projectDir);
  for (const number of [1, 2, 3]) await tick(page, number).uncheck();
  await writeFile(join(projectDir, STORY_SCENE), `; by another program\n${before}`);
  await expect(review.getByText(/Both changes are kept/)).toBeVisible();
  await expect(tick(page, 2)).not.toBeChecked();
  await review.getByRole('button', { name: 'Accept ticked (4 of 7)' }).click();
  await expect.poll(() => readScene(projectDir)).toContain('雨的第4句');
  const written = await readScene(projectDir);
  expect([written.startsWith('; by another program\n'), written.includes('雨的第2句')]).toEqual([true, false]);

  const whole = toSevenChanges(before);
  const after = whole.split('\n')[whole.split('\n').indexOf(':雨的第1句。;') - 1] ?? '';
  await writeFile(join(projectDir, STORY_SCENE), written.replace(`${after}\n`, `${after}\n:别人加的。;\n`));
  await expect(review.getByText(/You changed start\.txt too/)).toBeVisible();
});
