import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORY_LINE, STORY_SCENE } from '../support/games/story-script.ts';
import { saveDownload } from './save-download.ts';
import { askForProposal, connectModel, expect, readScene, reviewOf, test } from './user-actions.ts';

test.use({ foldsStage: true });
test.setTimeout(120_000);

const LATER = ':written by another program;\n';

test('lists every change with its texts, and undoes one while a later change stays', async ({ app, service }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await askForProposal(page);
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE);
  await appendFile(join(projectDir, STORY_SCENE), LATER);

  await page.keyboard.press('Control+4');
  const history = page.getByRole('region', { name: /History/ });
  await history.getByText('All changes', { exact: true }).click();
  const changes = history.getByRole('list', { name: 'Changes, newest first' });
  await expect(changes.getByRole('listitem')).toHaveCount(1);

  await test.step('filters and exports', async () => {
    await history.getByLabel('File…').fill('no such file');
    await expect(history.getByText('No changes match.')).toBeVisible();
    await history.getByRole('button', { name: 'Clear the filters' }).click();
    await expect(changes.getByRole('listitem')).toHaveCount(1);
    const file = await saveDownload(app, () => history.getByRole('button', { name: 'Export' }).click());
    expect(JSON.parse(file.toString())).toMatchObject({ status: 'applied', commands: [{ path: STORY_SCENE }] });
  });

  await test.step('shows what the change did, by keyboard', async () => {
    await changes.getByRole('button').first().focus();
    await page.keyboard.press('Enter');
    await expect(history.locator('.line-insert').first()).toBeVisible();
  });

  await test.step('undoes it and keeps what came later; the undo is listed and can be undone', async () => {
    await history.getByRole('button', { name: 'Undo this change' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => readScene(projectDir)).toBe(before + LATER);
    await expect(changes.getByRole('listitem')).toHaveCount(2);
    await expect(changes.getByText('Undone', { exact: true })).toBeVisible();
    // The button is gone; the focus is still in the view.
    await expect(history.getByRole('button', { name: 'Undo this change' })).toHaveCount(0);
    const focused = () => page.evaluate(() => document.activeElement?.closest('[data-region]')?.id);
    await expect.poll(focused).toBe('region-middle');
    const notice = page.getByRole('status').filter({ hasText: 'Later changes stayed.' });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE);
    await expect(changes.getByRole('listitem')).toHaveCount(3);
  });

  await test.step('names the conflict and writes nothing if the same lines were changed since', async () => {
    const now = (await readScene(projectDir)).replace(STORY_LINE, ':other words;');
    await writeFile(join(projectDir, STORY_SCENE), now);
    await changes.getByRole('button').last().click();
    await history.getByRole('button', { name: 'Undo this change' }).click();
    await expect(history.getByRole('alert')).toContainText('the same lines were changed since');
    expect(await readScene(projectDir)).toBe(now);
  });
  expect(app.pageErrors).toEqual([]);
});
