import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { STORY_LINE_SHORT, STORY_SCENE } from '../support/story-script.ts';
import { askForProposal, chatOf, connectModel, expect, readScene, reviewOf, test } from './as-a-writer.ts';

test.use({ foldsStage: true });

test.beforeEach(async ({ app, service }) => {
  await connectModel(app.page, service.url);
  await app.page.keyboard.press('Control+1');
});

test('a writer sends a proposal back with a word, and gets another', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await askForProposal(page);
  await reviewOf(page).getByRole('button', { name: 'Send back…' }).click();
  await reviewOf(page).getByRole('textbox').fill('Shorter, please');
  await reviewOf(page).getByRole('button', { name: 'Send back and redo' }).click();
  await expect(chatOf(page).getByText('Sent back; nothing was written')).toBeVisible();
  await expect(reviewOf(page).getByText(STORY_LINE_SHORT.slice(1, -1))).toBeVisible();
  expect(await readScene(projectDir)).toBe(before);
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE_SHORT);
});

test('a file changed elsewhere during the review is not overwritten, and both texts are kept', async ({ app }) => {
  const { page, projectDir } = app;
  await askForProposal(page);
  await appendFile(join(projectDir, STORY_SCENE), '; a note of mine\n');
  const mine = await readScene(projectDir);
  await expect(reviewOf(page).getByText(/You changed start\.txt too/)).toBeVisible();
  expect(await readScene(projectDir)).toBe(mine);

  await reviewOf(page).getByRole('button', { name: 'Use the proposal’s' }).click();
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();
  expect(await readScene(projectDir)).not.toBe(mine);
  await chatOf(page).getByRole('button', { name: 'Go back' }).click();
  await expect.poll(() => readScene(projectDir)).toBe(mine);
});

test('a review that was open when the app died is there again', async ({ app }) => {
  const { projectDir } = app;
  const before = await readScene(projectDir);
  await askForProposal(app.page);
  await app.kill();
  expect(await readScene(projectDir)).toBe(before);
  await app.restart();
  await expect(chatOf(app.page).getByText('Proposal: 1 file')).toBeVisible();
  await chatOf(app.page).getByRole('button', { name: 'Accept all' }).click();
  await expect(chatOf(app.page).getByText('Accepted and written to the game')).toBeVisible();
  expect(await readScene(projectDir)).not.toBe(before);
  const left = await readdir(join(projectDir, 'game', 'scene'));
  expect(left.filter((name) => !name.endsWith('.txt'))).toEqual([]);
});
