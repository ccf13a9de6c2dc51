import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { STORY_SCENE } from '../support/games/story-script.ts';
import { callApp } from '../support/window/call-app.ts';
import type { RunningApp } from './fixtures.ts';
import { expect, readScene, test } from './user-actions.ts';

test.use({ foldsStage: true });

test('saves typed text automatically and never undoes beyond the loaded file', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  const code = page.getByTestId('code');
  await code.getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; a thought for later');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect.poll(() => readScene(projectDir)).toBe(`${before}; a thought for later`);
  for (let count = 0; count < 12; count += 1) await page.keyboard.press('Control+Z');
  await expect.poll(() => readScene(projectDir)).toBe(before);
  await page.waitForTimeout(1500);
  expect(await readScene(projectDir)).toBe(before);
});

test('saves what waits once it is to save by itself', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  const views = page.getByRole('navigation', { name: 'Views' });
  const pressSwitch = async () => {
    await views.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('switch', { name: 'Save by itself' }).click({ force: true });
    await views.getByRole('button', { name: 'Write' }).click();
  };
  await pressSwitch();
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; mine');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.waitForTimeout(1500);
  expect(await readScene(projectDir)).toBe(before);
  await pressSwitch();
  await expect.poll(() => readScene(projectDir)).toBe(`${before}; mine`);
});

test('keeps line endings and the byte order mark when a file is saved', async ({ app }) => {
  const { page, projectDir } = app;
  const scene = join(projectDir, 'game/scene/windows.txt');
  await writeFile(scene, '\uFEFFA:one;\r\nB:two;\nC:three;\r\n');
  const tree = page.getByRole('button', { name: /^windows\.txt/ });
  await page.getByRole('button', { name: 'Show the stage' }).click();
  await tree.click();
  const code = page.getByTestId('code');
  await code.getByText('three').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('D:four;');
  await expect.poll(() => readFile(scene, 'utf8')).toBe('\uFEFFA:one;\r\nB:two;\nC:three;\r\nD:four;\r\n');
});

test('loads an external change when nothing was typed and offers it when text is unsaved', async ({ app }) => {
  const { page, projectDir } = app;
  const file = join(projectDir, STORY_SCENE);
  const code = page.getByTestId('code');
  await expect(code.getByText('小满').first()).toBeVisible();
  await writeFile(file, ':from outside;\nend;\n');
  await expect(code.getByText('from outside')).toBeVisible();

  // Both at once: the save is refused and the user decides.
  await code.getByText('from outside').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; mine');
  await writeFile(file, ':from outside again;\nend;\n');
  const notice = page.getByRole('alert').filter({ hasText: 'changed outside while you were typing' });
  await expect(notice).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe(':from outside again;\nend;\n');
  await notice.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(() => readFile(file, 'utf8')).toBe(':from outside;\nend;\n; mine');
});

test('compares and merges both changes when a file changes while the user types', async ({ app }) => {
  const { page, projectDir } = app;
  const file = join(projectDir, STORY_SCENE);
  const before = await readScene(projectDir);
  const code = page.getByTestId('code');
  await code.getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; mine');
  await writeFile(file, `; from outside\n${before}`);
  const notice = page.getByRole('alert').filter({ hasText: 'changed outside while you were typing' });
  await notice.getByRole('button', { name: 'Compare' }).click();
  const compared = page.getByRole('dialog', { name: 'Compare start.txt' });
  await expect(compared.getByText('; from outside').first()).toBeVisible();
  await expect(compared.getByText('; mine').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(notice.getByRole('button', { name: 'Compare' })).toBeFocused();
  await notice.getByRole('button', { name: 'Merge' }).click();
  await expect(notice).toBeHidden();
  await expect.poll(() => readScene(projectDir)).toBe(`; from outside\n${before}; mine`);
});

test('brings back text that waited for a choice when the app was killed', async ({ app }) => {
  const { page, projectDir, home } = app;
  const file = join(projectDir, STORY_SCENE);
  const before = await readScene(projectDir);
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; mine');
  await writeFile(file, `; from outside\n${before}`);
  await expect(page.getByText('changed outside while you were typing')).toBeVisible();
  await page.keyboard.type(', and more');
  const stored = async () => {
    const names = await readdir(join(home, 'unsaved')).catch(() => []);
    const texts = names.map((name) => readFile(join(home, 'unsaved', name), 'utf8').catch(() => ''));
    return (await Promise.all(texts)).join('');
  };
  await expect.poll(stored).toContain('; mine, and more');
  await app.kill();
  await app.restart();
  const notice = app.page.getByRole('alert').filter({ hasText: 'changed outside while you were typing' });
  await notice.getByRole('button', { name: 'Merge' }).click();
  await expect.poll(() => readScene(projectDir)).toBe(`; from outside\n${before}; mine, and more`);
  await expect.poll(stored).toBe('');
});

/** Deletes the shown file outside, types into what is left on the screen, and closes it without that text. */
async function discardText({ page, projectDir }: RunningApp, text = '; mine'): Promise<void> {
  await page.getByTestId('code').getByText('小满').first().click();
  await rm(join(projectDir, STORY_SCENE));
  const notice = page.getByRole('alert').filter({ hasText: 'no longer on the disk' });
  await expect(notice).toBeVisible();
  await expect(page.getByText('No longer on the disk', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
  await notice.getByRole('button', { name: 'Close and discard my text' }).click();
  await expect(notice).toBeHidden();
}

test('brings back the discarded text of a file that was deleted outside', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await discardText(app);
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await expect(undo).toHaveAccessibleDescription(/without its text/);
  // Longer than any other notice stays.
  await page.waitForTimeout(22_000);
  await undo.click();
  await expect(page.getByTestId('code').getByText('; mine')).toBeVisible();
  await page.getByRole('button', { name: 'Write it again' }).click();
  await expect.poll(() => readScene(projectDir).catch(() => '')).toBe(`${before}; mine`);
});

/** Opens the first scene from the list of scenes. */
async function openStart(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Assets', exact: true }).click();
  const assets = page.getByRole('region', { name: 'Work · Assets' });
  await assets.getByText('Scenes', { exact: true }).click();
  await assets
    .getByRole('list', { name: 'Scenes' })
    .getByRole('button', { name: /^start\.txt/ })
    .click();
}

test('keeps two discarded texts of one file until both are back, also when the language changes', async ({ app }) => {
  const { page, projectDir } = app;
  const file = join(projectDir, STORY_SCENE);
  const before = await readScene(projectDir);
  for (const text of ['; one', '; two', '; three']) {
    await discardText(app, text);
    // The keyboard reaches the notices, from where the text was, after the status bar.
    await expect(page.locator('#region-middle')).toBeFocused();
    for (const _ of [1, 2]) await page.keyboard.press('F6');
    await expect(page.getByRole('button', { name: 'Undo', exact: true }).and(page.locator(':focus'))).toHaveCount(1);
    if (text === '; three') break;
    await writeFile(file, before);
    await openStart(page);
  }
  await writeFile(file, before);
  await openStart(page);
  await page.getByTestId('code').getByText('小满').first().click();
  await rm(file);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; open');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await expect(undo).toHaveCount(3);
  for (const _ of [1, 2, 3]) await undo.first().click();
  await expect(page.getByText('Save or discard that first')).toHaveCount(3);
  for (const locale of ['ja', 'en'] as const) await callApp(page, 'settings.update', { locale });
  await expect(page.getByRole('button', { name: 'Write it again' })).toBeVisible();
  await expect(undo).toHaveCount(3);
  await page.getByRole('button', { name: 'Write it again' }).click();
  const code = page.getByTestId('code');
  for (const text of ['; one', '; two', '; three']) {
    await undo.first().click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'changed outside while you were typing' })
      .getByRole('button', { name: 'Keep mine' })
      .click();
    await expect(code.getByText(text)).toBeVisible();
    await expect.poll(() => readScene(projectDir)).toBe(`${before}${text}`);
  }
});

test('brings back a discarded text beside that of the file, which is there again and open', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  const code = page.getByTestId('code');
  await discardText(app);
  await writeFile(join(projectDir, STORY_SCENE), `; anew\n${before}`);
  await openStart(page);
  await expect(code.getByText('; anew')).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  const conflict = page.getByRole('alert').filter({ hasText: 'changed outside while you were typing' });
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await expect(code.getByText('; mine')).toBeVisible();
  await expect.poll(() => readScene(projectDir)).toBe(`${before}; mine`);
});

test('lets the user choose where the same lines changed', async ({ app }) => {
  const { page, projectDir } = app;
  const file = join(projectDir, STORY_SCENE);
  const before = await readScene(projectDir);
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; mine');
  await writeFile(file, `${before}; theirs`);
  const notice = page.getByRole('alert').filter({ hasText: 'changed outside while you were typing' });
  await notice.getByRole('button', { name: 'Merge' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge start.txt' });
  await expect(dialog.getByText('; theirs')).toBeVisible();
  await expect(dialog.getByText('; mine')).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe(`${before}; theirs`);
  await dialog.getByText('Both', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Use this text' }).click();
  await expect.poll(() => readFile(file, 'utf8')).toBe(`${before}; theirs\n; mine`);
  await expect(notice).toBeHidden();
  // The focus is in the text again.
  await page.keyboard.type('!');
  await expect.poll(() => readFile(file, 'utf8')).toContain('!');
});

test('reports problems while typing, with a fix', async ({ app }) => {
  const { page, projectDir } = app;
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  const height = () => page.getByTestId('code').evaluate((area) => area.clientHeight);
  const before = await height();
  await page.keyboard.type('changebg:street.webp -next;\n');
  const found = page.getByRole('region', { name: 'Problems' }).getByRole('status');
  await expect
    .poll(async () => {
      // While the user types, findings must not move the text above.
      await page.keyboard.press('End');
      expect(await height()).toBe(before);
      return found.textContent();
    })
    .toContain('Errors: 1');
  const problem = page.getByRole('region', { name: 'Problems' }).getByRole('listitem').filter({ hasText: 'changebg' });
  await expect(problem.first()).toBeVisible();
  await problem.first().getByRole('button', { name: 'Change to changeBg' }).click();
  await expect.poll(() => readScene(projectDir)).toContain('changeBg:street.webp -next;\n');
});

test('shows a bracket in prose like any other character', async ({ app }) => {
  const { page, projectDir } = app;
  await expect(page.getByTestId('code').getByText('小满').first()).toBeVisible();
  await writeFile(join(projectDir, 'game', 'scene', 'start.txt'), '小满:灯亮了 :) 真好 (笑);\n');
  const line = page.locator('.view-line').filter({ hasText: '灯亮了' });
  await expect(line).toBeVisible();
  await expect(line.locator('[class*="bracket-highlighting"], .unexpected-closing-bracket')).toHaveCount(0);
});

test('shows the bulb in the margin, also next to a problem mark, and names the files of a fix for all', async ({
  app,
}) => {
  const { page } = app;
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('\n:before;\nchangebg:street.webp -next;\nchangebg:street.webp -next;\n:after;');
  const marks = page.locator('.problem-glyph');
  await expect(marks).toHaveCount(2);
  await page.keyboard.press('ArrowUp');
  const bulb = page.locator('.glyph-margin-widgets [class*="codicon-gutter-lightbulb"]');
  await expect(bulb).toBeVisible();
  const text = await page.locator('.view-lines').boundingBox();
  const box = await bulb.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(text?.x ?? 0);
  await bulb.click();
  await expect(page.getByText('All 2 like this, in start.txt, such as: Change to changeBg')).toBeVisible();
});

test('lets keyboard users leave the editor without changing the text', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const isInside = await page.evaluate("document.activeElement?.closest('.monaco-editor') != null");
  expect(isInside).toBe(false);
  await page.waitForTimeout(1000);
  expect(await readScene(projectDir)).toBe(before);
});

test('keeps a game open while it has text that could not be saved', async ({ app }) => {
  const { page, projectDir } = app;
  const file = join(projectDir, STORY_SCENE);
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; mine');
  await writeFile(file, ':from outside;\nend;\n');
  await expect(page.getByRole('alert').filter({ hasText: 'changed outside' })).toBeVisible();
  await page.getByRole('button', { name: /open another game/ }).click();
  await page.getByRole('menuitem', { name: 'Close this game' }).click();
  await expect(page.getByText(/has text that could not be saved yet/)).toBeVisible();
  await expect(page.getByTestId('code').getByText('; mine')).toBeVisible();
});
