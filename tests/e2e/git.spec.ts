import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commitAll, hasGit, runGit } from '../support/games/git-repository.ts';
import { STORY_SCENE } from '../support/games/story-script.ts';
import { handToDesktopUser } from '../support/window/desktop.ts';
import type { RunningApp } from './fixtures.ts';
import { askForProposal, connectModel, expect, reviewOf, test } from './user-actions.ts';

test.use({ foldsStage: true });
test.setTimeout(120_000);

const withGit = hasGit ? test : test.skip;

/** Makes the game a repository of the account that the app runs as, with a hook that would leave a file. */
async function makeRepository(app: RunningApp): Promise<string> {
  const { projectDir } = app;
  commitAll(projectDir);
  const mark = join(projectDir, '..', 'hook-ran');
  const hook = join(projectDir, '.git/hooks/pre-commit');
  await writeFile(hook, `#!/bin/sh\ntouch ${mark}\nexit 1\n`);
  await chmod(hook, 0o755);
  if (app.hasWindow) handToDesktopUser(projectDir);
  return mark;
}

test('without a repository there is no trace of Git', async ({ app }) => {
  const status = app.page.getByRole('region', { name: 'Status' });
  await expect(status.getByText(/no problems|error|warning/i).first()).toBeVisible();
  // Longer than the delay before the first look.
  await app.page.waitForTimeout(3000);
  await expect(status.getByText(/Git|main/)).toHaveCount(0);
});

withGit(
  'commits an accepted proposal, and nothing that is not ticked (left out where Git is not installed)',
  async ({ app, service }) => {
    const { projectDir } = app;
    const mark = await makeRepository(app);
    await app.restart();
    const status = app.page.getByRole('region', { name: 'Status' });
    await expect(status.getByRole('button', { name: 'main', exact: true })).toBeVisible();

    await connectModel(app.page, service.url);
    await app.page.keyboard.press('Control+1');
    await askForProposal(app.page);
    await reviewOf(app.page).getByRole('button', { name: 'Accept all' }).click();
    await writeFile(join(projectDir, 'game/scene/other.txt'), ':by hand;\n');
    await status.getByRole('button', { name: 'main · 2 changes' }).click();

    const dialog = app.page.getByRole('dialog', { name: 'Commit with Git' });
    await expect(dialog.getByRole('checkbox', { name: STORY_SCENE })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { name: 'game/scene/other.txt' })).not.toBeChecked();
    const message = dialog.getByRole('textbox', { name: 'Message' });
    await expect(message).not.toHaveValue('');
    await message.fill('雨が降る\n\n# a line');
    await dialog.getByRole('button', { name: 'Commit 1 file' }).click();
    await expect(app.page.getByText('1 file committed.')).toBeVisible();
    await expect(status.getByRole('button', { name: 'main · 1 change', exact: true })).toBeVisible();
    const shown = runGit(projectDir, 'show', '--format=%B', '--name-only');
    expect(shown.trim()).toBe(`雨が降る\n\n# a line\n\n\n${STORY_SCENE}`);
    expect(existsSync(mark)).toBe(false);
    expect(app.pageErrors).toEqual([]);
  },
);

withGit('says why a repository is not used (left out where Git is not installed)', async ({ app }) => {
  await makeRepository(app);
  runGit(app.projectDir, 'config', '--file', '.git/config', 'include.path', '/nowhere');
  await app.restart();
  const status = app.page.getByRole('region', { name: 'Status' });
  await status.getByText('Git is not used').hover();
  await expect(app.page.getByRole('tooltip')).toContainText('leads to files outside of it');
});
