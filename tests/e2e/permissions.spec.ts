import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { STORY_LINE, STORY_SCENE } from '../support/games/story-script.ts';
import { saveDownload } from './save-download.ts';
import { ask, CANARY, chatOf, connectInSettings, expect, logOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

test.beforeEach(async ({ app, service }) => {
  await connectInSettings(app.page, service.url);
  await expect(app.page.getByText('It works')).toBeVisible();
});

const settingsOf = (page: Page): Locator => page.getByRole('region', { name: 'Work · Settings' });
const auditLogOf = (page: Page): Locator => page.getByRole('region', { name: 'Work · Audit log' });

async function choose(page: Page, tool: string, choice: 'Allow' | 'Ask me' | 'Never'): Promise<void> {
  const group = settingsOf(page).getByRole('radiogroup', { name: `${tool}: may the assistant use it?` });
  await group.getByText(choice, { exact: true }).click();
  await expect(group.getByRole('radio', { name: choice })).toBeChecked();
}

test('refuses to read files when the user forbids it, until the settings are reset', async ({ app }) => {
  const { page } = app;
  await choose(page, 'Read a file', 'Never');
  await ask(page, 'Add a line about the rain');
  await expect(logOf(page).getByText('我读不到开头的场景。')).toBeVisible();

  await page.keyboard.press('Control+7');
  await auditLogOf(page)
    .getByRole('button', { name: /Read a file.*Not allowed/ })
    .click();
  await expect(auditLogOf(page).getByText('Refused by your settings')).toBeVisible();
  await expect(auditLogOf(page).getByText('You switched this off in the settings, so it was not done.')).toBeVisible();

  await app.restart();
  await app.page.getByRole('button', { name: 'Settings', exact: true }).click();
  await settingsOf(app.page).getByRole('button', { name: 'Reset to recommended' }).click();
  await expect(settingsOf(app.page).getByText('All settings are as recommended.')).toBeVisible();
});

test('asks before a step: the user declines, stops, allows once and always allows', async ({ app }) => {
  const { page } = app;
  await choose(page, 'Read a file', 'Ask me');
  const card = chatOf(page).locator('[data-consent="pending"]');

  await ask(page, 'Add a line about the rain');
  await expect(card).toContainText('May the assistant do this?');
  await expect(card).toContainText('You chose in the settings to be asked about this.');
  await page.reload();
  await card.getByRole('button', { name: 'Don’t allow' }).click();
  await expect(chatOf(page).getByText('You said no', { exact: true })).toBeVisible();
  await expect(logOf(page).getByText('我读不到开头的场景。')).toBeVisible();

  await ask(page, 'Add a line about the rain');
  await expect(card).toBeVisible();
  await chatOf(page).getByRole('button', { name: 'Stop' }).click();
  await expect(chatOf(page).getByText('It ended before you answered')).toBeVisible();

  await ask(page, 'Add a line about the rain');
  await card.getByRole('button', { name: 'Always allow “Read a file”' }).click();
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
  await page.keyboard.press('Control+5');
  const group = settingsOf(page).getByRole('radiogroup', { name: /^Read a file:/ });
  await expect(group.getByRole('radio', { name: 'Allow' })).toBeChecked();
});

test('shows a change before the user allows it', async ({ app }) => {
  const { page } = app;
  await choose(page, 'Write a file', 'Ask me');
  const card = chatOf(page).locator('[data-consent="pending"]');
  await ask(page, 'Add a line about the rain');
  await expect(card).toContainText('What would change');
  await expect(card.locator('[data-mark="added"]')).toHaveText([`+${STORY_LINE}`]);
  await expect(card.locator('bdi').first()).toHaveText(STORY_SCENE);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
});

test('accepts an answer by keyboard only', async ({ app }) => {
  const { page } = app;
  await choose(page, 'Read a file', 'Ask me');
  const card = chatOf(page).locator('[data-consent="pending"]');
  await ask(page, 'Add a line about the rain');
  await expect(card).toBeFocused();
  // A key pressed while the card appears is not an answer.
  await page.keyboard.press('Enter');
  await expect(card).toBeVisible();
  await page.waitForTimeout(700);
  await page.keyboard.press('Escape');
  await expect(chatOf(page).getByText('You said no', { exact: true })).toBeVisible();
});

test('shows the audit log, filters it and saves it', async ({ app }) => {
  const { page, projectDir } = app;
  await ask(page, 'Add a line about the rain');
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
  await page.keyboard.press('Control+7');
  const auditLog = auditLogOf(page);
  // With the key and three changes of settings, by which the test chose its model.
  await expect(auditLog.getByText('11 steps')).toBeVisible();
  await auditLog.getByRole('textbox', { name: 'File…' }).fill('start.txt');
  await expect(auditLog.getByText('3 steps')).toBeVisible();
  await auditLog.getByRole('textbox', { name: 'Search the audit log…' }).fill('no such words');
  await expect(auditLog.getByText('No steps match.')).toBeVisible();
  await auditLog.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(auditLog.getByText('11 steps')).toBeVisible();

  await auditLog.getByRole('button', { name: 'Export' }).click();
  const bytes = await saveDownload(app, () => page.getByRole('menuitem', { name: 'All details (JSONL)' }).click());
  const saved = bytes.toString();
  // What the user changed of the app is in a log of its own.
  const logs = [join(projectDir, '.webgal_agent', 'audit.jsonl'), join(app.home, 'app-audit.jsonl')];
  const kept = (await Promise.all(logs.map((log) => readFile(log, 'utf8')))).join('');
  const toTools = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { tool: string }).tool)
      .sort();
  expect(toTools(saved)).toEqual(toTools(kept));
  expect(kept + saved).not.toContain(CANARY);
});

test('enforces the policy file of a game and reports an invalid one', async ({ app }) => {
  const { page, projectDir } = app;
  const policyFile = join(projectDir, '.webgal_agent', 'policy.json');
  await mkdir(join(projectDir, '.webgal_agent'), { recursive: true });
  await writeFile(policyFile, '{\n  "policies": {\n    "tools": { "read_file": sometimes }\n  }\n}\n');
  await ask(page, 'Add a line about the rain');
  await expect(logOf(page).getByText('我读不到开头的场景。')).toBeVisible();
  await expect(settingsOf(page).getByRole('alert')).toContainText('something is mistyped near line 3');

  await writeFile(policyFile, '{ "policies": { "forbiddenDirs": ["game/scene"], "developerMode": false } }');
  await ask(page, 'Add a line about the rain');
  await expect(settingsOf(page).getByText('The assistant may not use: game/scene')).toBeVisible();
  await expect(settingsOf(page).getByRole('switch', { name: 'Developer mode' })).toBeDisabled();

  await rm(policyFile);
  await ask(page, 'Add a line about the rain');
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
});
