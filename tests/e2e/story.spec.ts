import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORY_LINE } from '../support/games/story-script.ts';
import { ask, chatOf, connectInSettings, expect, readScene, reviewOf, test } from './user-actions.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(150_000);

test('asks, shows a plan, plays the proposal, accepts it and undoes it', async ({ app, service }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  const engine = page.frameLocator('iframe');
  const line = STORY_LINE.slice(1, -1);

  await test.step('connects a model', async () => {
    await connectInSettings(page, service.url);
    await expect(page.getByText(/It works: story-1 answered/)).toBeVisible();
  });

  await test.step('asks and gets a numbered plan first', async () => {
    await page.keyboard.press('Control+1');
    await ask(page, 'Let us hear the rain before they part', 'Plan');
    await expect(chatOf(page).getByText('Plan · 3 steps')).toBeVisible();
    await expect(chatOf(page).getByRole('listitem').filter({ hasText: '在离开之前加一句雨声' })).toBeVisible();
    expect(await readScene(projectDir)).toBe(before);
  });

  await test.step('runs the plan and gets a review instead of a change', async () => {
    await chatOf(page).getByRole('button', { name: 'Do it' }).click();
    await expect(reviewOf(page).getByText('Nothing is written yet').first()).toBeVisible();
    await expect(reviewOf(page).getByText(line)).toBeVisible();
    expect(await readScene(projectDir)).toBe(before);
  });

  await test.step('plays the proposal on the stage while the file on disk is unchanged', async () => {
    await reviewOf(page).getByRole('button', { name: 'Play', exact: true }).click();
    await expect(page.getByText(/^Proposal · start/)).toBeVisible();
    for (const character of new Set(line)) await expect(engine.locator('#textBoxMain')).toContainText(character);
    expect(await readScene(projectDir)).toBe(before);
  });

  const accepted = await test.step('accepts: writes the proposed bytes and keeps the previous text', async () => {
    await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
    await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();
    const after = await readScene(projectDir);
    expect(after.split('\n').filter((text) => !before.split('\n').includes(text))).toEqual([STORY_LINE]);
    const folder = join(projectDir, '.webgal_agent', 'snapshots');
    const [kept, ...others] = (await readdir(folder)).filter((name) => name.endsWith('.txt'));
    expect(others).toEqual([]);
    expect(await readFile(join(folder, kept ?? ''), 'utf8')).toBe(before);
    return after;
  });

  await test.step('undoes: restores the previous bytes, which can be undone too', async () => {
    await chatOf(page).getByRole('button', { name: 'Go back' }).click();
    await expect.poll(() => readScene(projectDir)).toBe(before);
    const notice = page.getByRole('status').filter({ hasText: 'The change is undone in 1 file.' });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readScene(projectDir)).toBe(accepted);
  });

  await test.step('restores from the history', async () => {
    await page.keyboard.press('Control+4');
    const history = page.getByRole('region', { name: /History/ });
    await history.getByRole('listitem').last().getByRole('button').first().click();
    // Removed lines are drawn from the old text, which no editor shows.
    await expect(history.locator('.line-delete span[class*="mtk"]:not(.mtk1)').first()).toBeVisible();
    await history
      .getByRole('button', { name: /^Restore/ })
      .first()
      .click();
    await expect.poll(() => readScene(projectDir)).toBe(before);
  });

  expect(app.pageErrors).toEqual([]);
});
