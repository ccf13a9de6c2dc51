import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { STORY_LINE, STORY_LINE_SHORT, STORY_SCENE } from '../support/games/story-script.ts';
import { ask, chatOf, connectInSettings, connectModel, expect, readScene, reviewOf, test } from './user-actions.ts';

test.use({ foldsStage: true });
// Software rendering is slow, especially on a busy machine.
test.setTimeout(150_000);

test('writes safe steps of a plan, which wait until the user undoes or keeps them', async ({ app, service }) => {
  const { projectDir } = app;
  let { page } = app;
  const before = await readScene(projectDir);
  await connectInSettings(page, service.url);
  const settings = page.getByRole('region', { name: /Settings/ });
  await settings.getByRole('switch', { name: 'Write safe steps without review' }).press('Space');
  await page.keyboard.press('Control+1');
  await ask(page, 'Let us hear the rain [prepared]', 'Plan');
  let chat = chatOf(page);
  await expect(chat.getByText('Plan · 2 steps')).toBeVisible();
  expect(await readScene(projectDir)).toBe(before);
  await chat.getByRole('button', { name: 'Do it' }).press('Enter');

  await test.step('the file is changed, and the card says that it waits', async () => {
    await expect(chat.getByText('2 steps are written in your files already')).toBeVisible();
    await expect(chat.getByText('Written – keep it?')).toHaveCount(2);
    const written = await readScene(projectDir);
    expect([STORY_LINE, STORY_LINE_SHORT].every((line) => written.includes(line))).toBe(true);
  });

  await test.step('undo of all brings the bytes back', async () => {
    await chat.getByRole('button', { name: 'Undo all' }).press('Enter');
    await expect(chat.getByText('Written, then undone')).toHaveCount(2);
    expect(await readScene(projectDir)).toBe(before);
  });

  await ask(page, 'Once more [prepared]', 'Plan');
  await chat.getByRole('button', { name: 'Do it' }).press('Enter');
  await test.step('it still waits after a restart', async () => {
    await expect(chat.getByText('Written – keep it?')).toHaveCount(2);
    await app.restart();
    page = app.page;
    chat = chatOf(page);
    await expect(chat.getByText('Written – keep it?')).toHaveCount(2);
  });

  await test.step('undo takes back one step, by keyboard, and keeping makes the other final', async () => {
    await chat.getByRole('button', { name: 'Undo: 加一句雨敲窗沿' }).press('Enter');
    await expect(chat.getByText('Written, then undone').last()).toBeFocused();
    const left = await readScene(projectDir);
    expect([left.includes(STORY_LINE), left.includes(STORY_LINE_SHORT)]).toEqual([false, true]);
    await expect(chat.getByText('1 step is written in your files already')).toBeVisible();
    await page.keyboard.press('Control+4');
    const history = page.getByRole('region', { name: /History/ });
    await history.getByText('All changes', { exact: true }).click();
    const changes = history.getByRole('list', { name: 'Changes, newest first' });
    await expect(changes.getByText('Undone', { exact: true })).toHaveCount(3);
    await changes.getByRole('button').filter({ hasText: 'Waits for you' }).click();
    await history.getByRole('button', { name: 'Keep it' }).click();
    await expect(chat.getByText('Written and kept')).toBeVisible();
  });

  expect(app.pageErrors).toEqual([]);
});

test('only checks a plan where a file is read-only, and says so', async ({ app, service }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await ask(page, 'Let us hear the rain [prepared]', 'Plan');
  const chat = chatOf(page);
  await expect(chat.getByText('Plan · 2 steps')).toBeVisible();
  await chmod(join(projectDir, STORY_SCENE), 0o444);
  await chat.getByRole('button', { name: 'Do it' }).press('Enter');
  const note = chat.getByRole('status').filter({ hasText: 'Only checked' });
  await expect(note).toContainText(`your game cannot be written here: ${STORY_SCENE}`);
  await expect(note).toContainText('2 of 2 steps have changes that fit your game');
  await expect(chat.getByText('Fits', { exact: true })).toHaveCount(2);
  expect(await readScene(projectDir)).toBe(before);

  await chmod(join(projectDir, STORY_SCENE), 0o644);
  await chat.getByRole('button', { name: 'Do it' }).press('Enter');
  await expect(reviewOf(page).getByText(STORY_LINE.slice(1, -1))).toBeVisible();
  await expect(note).toBeHidden();
  expect(app.pageErrors).toEqual([]);
});
