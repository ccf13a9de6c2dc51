import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { insertPassage } from '../../main/core/agent/practice/insert-passage.ts';
import { STORY_LINE, STORY_LINE_SHORT, STORY_SCENE } from '../support/games/story-script.ts';
import { ask, askForProposal, chatOf, connectModel, expect, readScene, reviewOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

/** Adds a line where the proposal adds one, like another program. Resolves to the scene's text. */
async function addBeforeLeaving(projectDir: string, line: string): Promise<string> {
  const text = insertPassage(await readScene(projectDir), [line]);
  await writeFile(join(projectDir, STORY_SCENE), text);
  return text;
}

test.beforeEach(async ({ app, service }) => {
  await connectModel(app.page, service.url);
  await app.page.keyboard.press('Control+1');
});

test('revises a proposal that the user sends back with a comment', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await askForProposal(page);
  await reviewOf(page).getByRole('button', { name: 'Send back…' }).click();
  await reviewOf(page).getByRole('textbox').fill('Shorter, please');
  await reviewOf(page).getByRole('button', { name: 'Send back and redo' }).click();
  await expect(chatOf(page).getByText('Sent back; nothing was written')).toBeVisible();
  await page.keyboard.press('Control+7');
  const write = page
    .getByRole('region', { name: /Audit log/ })
    .getByRole('listitem')
    .filter({ hasText: 'start.txt' });
  await expect(write.filter({ hasText: 'Drafted' }).first()).toBeVisible();
  await page.keyboard.press('Control+2');
  await expect(reviewOf(page).getByText(STORY_LINE_SHORT.slice(1, -1))).toBeVisible();
  expect(await readScene(projectDir)).toBe(before);
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE_SHORT);
});

test('does not overwrite a file whose same lines changed elsewhere and keeps both texts', async ({ app }) => {
  const { page, projectDir } = app;
  await askForProposal(page);
  const mine = await addBeforeLeaving(projectDir, '; a note of mine');
  await expect(reviewOf(page).getByText(/You changed start\.txt too/)).toBeVisible();
  expect(await readScene(projectDir)).toBe(mine);

  await reviewOf(page).getByRole('button', { name: 'Use the proposal’s' }).click();
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();
  expect(await readScene(projectDir)).not.toBe(mine);
  await chatOf(page).getByRole('button', { name: 'Go back' }).click();
  await expect.poll(() => readScene(projectDir)).toBe(mine);
});

test('merges a proposal with lines changed elsewhere and shows the result before it is accepted', async ({ app }) => {
  const { page, projectDir } = app;
  await askForProposal(page);
  const before = await readScene(projectDir);
  await writeFile(join(projectDir, STORY_SCENE), `; by another program\n${before}`);
  await expect(reviewOf(page).getByText(/Both changes are kept/)).toBeVisible();
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect(page.getByText(/1 file written\. 1 file was merged with changes made meanwhile/)).toBeVisible();
  const after = await readScene(projectDir);
  expect([after.startsWith('; by another program\n'), after.includes(STORY_LINE)]).toEqual([true, true]);
});

test('keeps text typed at the top while a proposal waits when the proposal is accepted', async ({ app }) => {
  const { page, projectDir } = app;
  await askForProposal(page);
  await page.keyboard.press('Control+1');
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('; typed while it waits');
  await page.keyboard.press('Enter');
  await chatOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();
  const after = await readScene(projectDir);
  expect([after.startsWith('; typed while it waits\n'), after.includes(STORY_LINE)]).toEqual([true, true]);
});

test('restores a review that was open when the app was killed', async ({ app }) => {
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

test('undoes an accepted proposal in all its files with Ctrl+Z and redoes it with Ctrl+Y', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await ask(page, 'Add a chapter [chapter]');
  await expect(chatOf(page).getByText('Proposal: 2 files')).toBeVisible();
  await chatOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE);
  await page.keyboard.press('Control+1');
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+Z');
  await expect.poll(() => readScene(projectDir)).toBe(before);
  await expect(readScene(projectDir, 'game/scene/rain.txt')).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(chatOf(page).getByText('Accepted, then undone')).toBeVisible();
  await expect(chatOf(page).getByRole('button', { name: 'Go back' })).toBeHidden();
  await page.keyboard.press('Control+Y');
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE);
  expect(await readScene(projectDir, 'game/scene/rain.txt')).toContain('end;');
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();
});

test('reports no accepted or waiting proposal in the card and to screen readers after an undo', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  const status = chatOf(page).getByRole('status');
  await askForProposal(page);
  await expect(status.getByText('A proposal is ready for you')).toBeAttached();
  await chatOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect(status.getByText('The proposal was accepted.')).toBeAttached();
  await chatOf(page).getByRole('button', { name: 'Go back' }).click();
  await expect.poll(() => readScene(projectDir)).toBe(before);
  await expect(status.getByText('The accepted proposal was undone.')).toBeAttached();
  await expect(chatOf(page).getByText('Accepted, then undone')).toBeVisible();
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeHidden();
  await app.restart();
  await expect(chatOf(app.page).getByText('Accepted, then undone')).toBeVisible();
});

test('takes back only the proposal where the user wrote on, and nothing where the same lines changed', async ({
  app,
}) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await askForProposal(page);
  await chatOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE);
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+Home');
  // Not saved yet when the button is pressed.
  await page.keyboard.type('; a note of mine\n');
  await chatOf(page).getByRole('button', { name: 'Go back' }).click();
  await expect.poll(() => readScene(projectDir)).toBe(`; a note of mine\n${before}`);
  await expect(chatOf(page).getByText('Accepted, then undone')).toBeVisible();

  const notice = page.getByRole('status').filter({ hasText: 'The change is undone in 1 file.' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE);
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();
  const mine = (await readScene(projectDir)).replace(STORY_LINE, `${STORY_LINE.slice(0, -1)} Really.;`);
  await writeFile(join(projectDir, STORY_SCENE), mine);
  await chatOf(page).getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByText(/You changed the same lines of start\.txt later/)).toBeVisible();
  expect(await readScene(projectDir)).toBe(mine);
  await page.getByRole('button', { name: 'Restore the text from before' }).click();
  await expect.poll(() => readScene(projectDir)).toBe(before);
});
