import { STORY_LINE } from '../support/games/story-script.ts';
import { ask, chatOf, connectModel, expect, readScene, reviewOf, test } from './user-actions.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(150_000);

test('changes a plan, runs it step by step, and shows what became of each step', async ({ app, service }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await ask(page, 'Let us hear the rain before they part', 'Plan');
  const chat = chatOf(page);
  const plan = chat.getByRole('listitem');
  await expect(chat.getByText('Plan · 3 steps')).toBeVisible();

  await test.step('moves, unticks and rewords steps by keyboard', async () => {
    await chat.getByRole('button', { name: 'Move up: 在离开之前加一句雨声' }).press('Enter');
    await expect(plan.first()).toContainText('在离开之前加一句雨声');
    await expect(chat.getByRole('button', { name: 'Move up: 在离开之前加一句雨声' })).toBeFocused();
    await chat.getByRole('button', { name: 'Move down: 在离开之前加一句雨声' }).press('Enter');
    await expect(plan.first()).toContainText('读开头的场景');
    await chat.getByRole('checkbox', { name: 'Do this step: 读开头的场景' }).press('Space');
    await expect(chat.getByText('Will be left out')).toBeVisible();
    await chat.getByRole('button', { name: 'Edit: 检查脚本' }).press('Enter');
    const words = chat.getByRole('textbox', { name: 'What is done in this step' });
    await words.fill('再检查一遍');
    // An input method closes its list with this key; the field stays.
    await words.dispatchEvent('keydown', { key: 'Escape', bubbles: true, isComposing: true });
    await chat.getByRole('button', { name: 'Save' }).click();
    await expect(plan.nth(2)).toContainText('再检查一遍');
  });

  await chat.getByRole('button', { name: 'Do it' }).click();
  await expect(reviewOf(page).getByText(STORY_LINE.slice(1, -1))).toBeVisible();
  await expect(plan.nth(0)).toContainText('Left out');
  await expect(plan.nth(1)).toContainText('Drafted');
  await expect(plan.nth(2)).toContainText('Nothing to do');
  expect(await readScene(projectDir)).toBe(before);
  expect(app.pageErrors).toEqual([]);
});
