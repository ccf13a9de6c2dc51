import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chatOf, expect, reviewOf, test } from './user-actions.ts';

// Software rendering is slow.
test.setTimeout(150_000);
test.use({ opensProject: false });

test('runs the guided tour from plan to undo without a key', async ({ app }) => {
  const { page, documents } = app;
  await page.getByRole('button', { name: 'Guided tour' }).click();
  await expect(chatOf(page).getByText(/^Practice: the assistant’s words are scripted/)).toBeVisible();
  await chatOf(page).getByRole('button', { name: 'Send a sample request' }).click();
  await expect(chatOf(page).getByText(/Plan · \d steps/)).toBeVisible();
  const [sample] = await readdir(documents);
  const start = join(documents, sample ?? '', 'game', 'scene', 'start.txt');
  const before = await readFile(start, 'utf8');

  await chatOf(page).getByRole('button', { name: 'Do it' }).click();
  await expect(reviewOf(page).getByText('Nothing is written yet').first()).toBeVisible();
  await reviewOf(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByText(/^Proposal · start/)).toBeVisible();
  expect(await readFile(start, 'utf8')).toBe(before);

  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();
  expect(await readFile(start, 'utf8')).not.toBe(before);
  await chatOf(page).getByRole('button', { name: 'Go back' }).click();
  await expect.poll(() => readFile(start, 'utf8')).toBe(before);
  await expect(chatOf(page).getByText('Step 5 of 5')).toBeVisible();
  expect(app.pageErrors).toEqual([]);
});
