import { existsSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commitAll, hasGit, runGit } from '../support/games/git-repository.ts';
import { STORY_SCENE } from '../support/games/story-script.ts';
import { handToDesktopUser } from '../support/window/desktop.ts';
import type { RunningApp } from './fixtures.ts';
import { askForProposal, connectModel, expect, readScene, reviewOf, test } from './user-actions.ts';

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
    // What the page still loads could not be had while the app starts again.
    await expect(app.page.getByTestId('code').locator('.view-line').first()).toBeVisible();
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

withGit(
  'compares a scene with its commits, also under its earlier name, and restores one, which can be undone (left out where Git is not installed)',
  async ({ app }) => {
    const { projectDir } = app;
    // A page that still loads would report what the restart breaks off.
    await expect(app.page.getByRole('region', { name: 'Status' }).getByText('No problems')).toBeVisible();
    const now = await readScene(projectDir);
    const earlier = `:before;\n${now}`;
    await rename(join(projectDir, STORY_SCENE), join(projectDir, 'game/scene/draft.txt'));
    await writeFile(join(projectDir, 'game/scene/draft.txt'), earlier);
    const mark = await makeRepository(app);
    runGit(projectDir, 'mv', 'game/scene/draft.txt', STORY_SCENE);
    runGit(projectDir, 'commit', '-q', '--no-verify', '-m', 'Another name');
    await writeFile(join(projectDir, STORY_SCENE), now);
    runGit(projectDir, 'commit', '-q', '--no-verify', '-a', '-m', 'Opening ‮ scene\n\nmore');
    if (app.hasWindow) handToDesktopUser(projectDir);
    await app.restart();
    const { page } = app;
    await expect(page.getByRole('region', { name: 'Status' }).getByRole('button', { name: 'main' })).toBeVisible();
    await page.keyboard.press('Control+4');
    const history = page.getByRole('region', { name: /History/ });
    await history.getByRole('combobox', { name: 'File' }).fill('start');
    await page.getByRole('option', { name: 'start.txt', exact: true }).click();
    const versions = history.getByRole('list', { name: 'Versions of start.txt, newest first' });
    await expect(versions.getByRole('listitem')).toHaveCount(3);
    await expect(versions.getByRole('listitem').first()).toContainText('Yuki');

    await test.step('by keyboard: the oldest one, which had another name', async () => {
      await versions.getByRole('button').first().focus();
      await page.keyboard.press('Enter');
      await expect(history.getByText('reads the same now as in this commit')).toBeVisible();
      await page.keyboard.press('End');
      await expect(versions.getByRole('button', { name: /^First/ })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(versions.getByRole('button', { name: /^First.*as draft\.txt/ })).toHaveAttribute(
        'aria-current',
        'true',
      );
      await expect(history.getByText(':before;').filter({ visible: true }).first()).toBeVisible();
    });

    await test.step('restores it; the restore is a change that can be undone', async () => {
      await history.getByRole('button', { name: 'Restore this file' }).click();
      await expect(page.getByText('1 file is restored.')).toBeVisible();
      expect(await readScene(projectDir)).toBe(earlier);
      await expect(versions.getByRole('listitem')).toHaveCount(4);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(() => readScene(projectDir)).toBe(now);
    });
    expect(existsSync(mark)).toBe(false);
    expect(app.pageErrors).toEqual([]);
  },
);

withGit('says why a repository is not used (left out where Git is not installed)', async ({ app }) => {
  await makeRepository(app);
  runGit(app.projectDir, 'config', '--file', '.git/config', 'include.path', '/nowhere');
  await app.restart();
  const status = app.page.getByRole('region', { name: 'Status' });
  // It moves while the facts before it arrive.
  await status.getByText('Git is not used').focus();
  await expect(app.page.getByRole('tooltip')).toContainText('leads to files outside of it');
});
