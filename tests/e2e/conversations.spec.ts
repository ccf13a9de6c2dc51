import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createJournalSignature } from '../../main/node/journal/journal-signature.ts';
import { createSessionLogs } from '../../main/node/logs/session-logs.ts';
import { createAgentFolder } from '../../main/node/project-fs/agent-folder.ts';
import { handToDesktopUser } from '../support/window/desktop.ts';
import { saveDownload } from './save-download.ts';
import { ask, chatOf, connectModel, expect, logOf, test } from './user-actions.ts';

test.use({ foldsStage: true });
// Software rendering is slow.
test.setTimeout(180_000);

const COUNT = 300;

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Conversations' });
const listOf = (page: Page) => dialogOf(page).getByRole('list', { name: 'Conversations, newest first' });

async function openList(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Conversations' }).click();
  await expect(dialogOf(page).getByRole('textbox', { name: 'Search all conversations' })).toBeFocused();
}

/** A menu that was closed is in the page until it has faded out. */
const itemOf = (page: Page, title: RegExp, name: string) =>
  page.getByRole('menu', { name: title }).getByRole('menuitem', { name });

async function talk(page: Page, text: string): Promise<void> {
  await chatOf(page).getByRole('button', { name: 'New conversation' }).click();
  await ask(page, text);
  await expect(logOf(page).getByText('雨是下在白天，还是夜里？').first()).toBeVisible();
}

test('searches, exports, deletes and brings back conversations', async ({ app, service }) => {
  const { page, projectDir } = app;
  await connectModel(page, service.url);
  await talk(page, 'The lighthouse stays dark [ask]');
  await talk(page, 'A letter arrives [ask]');

  await test.step('opens the place that a search found', async () => {
    await openList(page);
    await page.keyboard.type('LIGHTHOUSE');
    const hits = dialogOf(page).getByRole('list', { name: 'Found places' });
    await expect(hits.getByRole('button')).toHaveCount(1);
    await hits.getByRole('button').click();
    await expect(dialogOf(page)).toBeHidden();
    await expect(logOf(page).locator('[data-row="user"]')).toBeFocused();
    await expect(logOf(page).getByText('The lighthouse stays dark [ask]')).toBeInViewport();
  });

  await test.step('finds nothing, and says so', async () => {
    await openList(page);
    await page.keyboard.type('submarine');
    await expect(dialogOf(page).getByText('Nothing found')).toBeVisible();
    await dialogOf(page).getByRole('textbox').fill('');
  });

  await test.step('saves a conversation as Markdown', async () => {
    await dialogOf(page).getByRole('button', { name: 'Actions for A letter arrives [ask]' }).click();
    const bytes = await saveDownload(app, () => itemOf(page, /A letter/, 'Save as Markdown').click());
    const text = bytes.toString();
    expect(text).toMatch(/^# A letter arrives \\\[ask\\\]\n\n## You · /);
    expect(text).toContain('> 雨是下在白天，还是夜里？');
    expect(text).not.toContain(projectDir);
  });

  await test.step('deletes the open conversation and brings it back with the keyboard', async () => {
    await expect(listOf(page).getByRole('listitem')).toHaveCount(2);
    await dialogOf(page).getByRole('button', { name: 'Actions for The lighthouse' }).focus();
    await page.keyboard.press('Enter');
    await itemOf(page, /The lighthouse/, 'Delete').press('Enter');
    await expect(listOf(page).getByRole('listitem')).toHaveCount(1);
    await expect(dialogOf(page).getByRole('textbox')).toBeFocused();
    expect(await readdir(join(projectDir, '.webgal_agent', 'sessions-trash'))).toHaveLength(1);
    await expect(logOf(page).getByText('A letter arrives [ask]')).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(dialogOf(page).getByRole('button', { name: 'Undo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(listOf(page).getByRole('listitem')).toHaveCount(2);
  });

  await test.step('offers to bring it back after the list was closed, and opens it', async () => {
    await dialogOf(page).getByRole('button', { name: 'Actions for The lighthouse' }).click();
    await itemOf(page, /The lighthouse/, 'Delete').click();
    await expect(listOf(page).getByRole('listitem')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).click();
    await openList(page);
    await expect(listOf(page).getByRole('listitem')).toHaveCount(2);
    await listOf(page)
      .getByRole('button', { name: /^The lighthouse/ })
      .click();
    await expect(logOf(page).getByText('The lighthouse stays dark [ask]')).toBeVisible();
  });
  await test.step('finds a deleted conversation in the trash, brings it back, and removes it for good', async () => {
    const trashOf = () => page.getByRole('dialog', { name: 'Deleted conversations' });
    const remove = async () => {
      await openList(page);
      await dialogOf(page).getByRole('button', { name: 'Actions for A letter' }).click();
      await itemOf(page, /A letter/, 'Delete').click();
      await dialogOf(page).getByRole('button', { name: 'Trash' }).click();
      await expect(trashOf().getByText(/1 conversation, .*kept for 30 days/)).toBeVisible();
      await expect(page.getByText('It stays in the trash')).toHaveCount(0);
    };
    await remove();
    await expect(trashOf().getByRole('button', { name: 'All conversations' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(trashOf().getByRole('button', { name: 'Bring back A letter arrives [ask]' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(trashOf().getByText('The trash is empty')).toBeVisible();
    await expect(trashOf().getByRole('button', { name: 'All conversations' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(listOf(page).getByRole('listitem')).toHaveCount(2);
    await page.keyboard.press('Escape');

    await remove();
    await trashOf().getByRole('button', { name: 'Delete A letter arrives [ask] for good' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(trashOf().getByRole('listitem')).toHaveCount(1);
    await trashOf().getByRole('button', { name: 'Delete A letter arrives [ask] for good' }).click();
    await page.getByRole('button', { name: 'Delete for good', exact: true }).last().click();
    await expect(trashOf().getByText('The trash is empty')).toBeVisible();
    expect(await readdir(join(projectDir, '.webgal_agent', 'sessions-trash'))).toEqual([]);
    await page.keyboard.press('Escape');
  });
  expect(app.pageErrors).toEqual([]);
});

test('lists hundreds of conversations with few rows in the page', async ({ app }) => {
  const { page, projectDir, home } = app;
  const logs = createSessionLogs(createAgentFolder(projectDir), createJournalSignature(home));
  for (let index = 0; index < COUNT; index += 1) {
    const id = `talk${index}`;
    const file = logs.open(id);
    const words = { t: 'user', at: 1, turn: 't', id: 'u', kind: 'message', mode: 'act', text: `Talk ${index}` };
    await file.appendAll([{ t: 'session', v: 2, id, at: 1, practice: false }, words], false);
    await logs.release(id);
  }
  await logs.close();
  if (app.hasWindow) handToDesktopUser(join(projectDir, '.webgal_agent'), home);
  await openList(page);
  await expect(dialogOf(page).getByText(`${COUNT} conversations`)).toBeVisible({ timeout: 60_000 });
  expect(await listOf(page).getByRole('listitem').count()).toBeLessThan(60);
  await listOf(page).getByRole('button').first().focus();
  await page.keyboard.press('End');
  const last = listOf(page).locator(`[aria-posinset="${COUNT}"]`);
  await expect(last).toBeInViewport();
  await expect(last.getByRole('button').first()).toBeFocused();
  expect(await listOf(page).getByRole('listitem').count()).toBeLessThan(60);
  expect(app.pageErrors).toEqual([]);
});
