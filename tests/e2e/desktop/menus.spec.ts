import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { chooseItem, readMenu } from './native-menu.ts';
import { withXdotool, xdotoolReason } from './with-xdotool.ts';

test.setTimeout(150_000);
test.use({ foldsStage: true });

const labelsOf = async (app: Parameters<typeof readMenu>[0]) => (await readMenu(app)).map(({ label }) => label);

/** Waits for the page, because the menus exist before the page handles their commands. */
const waitForPage = ({ page }: Parameters<typeof readMenu>[0]) =>
  expect(page.getByTestId('code').getByText('小满').first()).toBeVisible();

test.describe('on the welcome page', () => {
  test.use({ opensProject: false, foldsStage: false });

  test('enables items that need a game when one is open, and updates recent games', async ({ app }) => {
    const find = async (id: string) => (await readMenu(app)).find((item) => item.id === id);
    await expect.poll(async () => (await find('openGame'))?.isEnabled).toBe(true);
    expect((await find('newScene'))?.isEnabled).toBe(false);
    expect((await find('openRecent'))?.isEnabled).toBe(false);
    await app.page.getByRole('button', { name: 'sample' }).click();
    await expect.poll(async () => (await find('newScene'))?.isEnabled).toBe(true);
    const recents = async () => (await readMenu(app)).filter(({ id }) => id.startsWith('recent:'));
    await expect.poll(recents).toHaveLength(1);
    const [recent] = await recents();

    await chooseItem(app, 'closeGame');
    await expect(app.page.getByRole('button', { name: 'Guided tour' })).toBeVisible();
    await expect.poll(async () => (await find('closeGame'))?.isEnabled).toBe(false);
    await chooseItem(app, recent?.id ?? '');
    await expect(app.page.locator('#region-middle')).toBeVisible();
    expect(app.pageErrors).toEqual([]);
  });
});

test('shows the menus in the app’s language and follows a change', async ({ app }) => {
  await waitForPage(app);
  await expect.poll(() => labelsOf(app)).toContain('&File');
  await chooseItem(app, 'settings');
  await app.page.getByRole('combobox', { name: 'Language' }).click();
  await app.page.getByRole('option', { name: '简体中文' }).click();
  await expect.poll(() => labelsOf(app)).toContain('文件(&F)');
  expect(await labelsOf(app)).not.toContain('&File');
});

test.describe('on a Japanese system', () => {
  test.use({ systemLocale: 'ja_JP.UTF-8', foldsStage: false });

  test('shows Japanese menus', async ({ app }) => {
    await expect.poll(() => labelsOf(app)).toContain('ファイル(&F)');
  });
});

test('runs the page’s own actions from menu items', async ({ app }) => {
  const { page, projectDir } = app;
  const scene = join(projectDir, 'game/scene/start.txt');
  const before = await readFile(scene, 'utf8');
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(';from the menu');
  // More than one undo where the autosave came between two letters: it ends an undo step.
  const saveAfter = async (item: 'undo' | 'redo') => {
    await chooseItem(app, item);
    await chooseItem(app, 'save');
    await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
    return readFile(scene, 'utf8');
  };
  await expect.poll(() => saveAfter('undo')).toBe(before);
  await expect.poll(() => saveAfter('redo')).toContain('from the menu');

  await chooseItem(app, 'replaceInGame');
  const replacing = page.getByRole('dialog', { name: 'Replace in all scenes' });
  await expect(replacing).toBeVisible();
  await chooseItem(app, 'findInGame');
  await expect(page.getByRole('textbox', { name: 'Scene, line or speaker' })).toBeFocused();

  await chooseItem(app, 'replaceInGame');
  await expect(replacing).toBeVisible();
  await chooseItem(app, 'view:history');
  await expect(page.getByRole('region', { name: 'Work · History' })).toBeVisible();
  await expect(replacing).toBeHidden();
  await chooseItem(app, 'replaceInGame');
  await expect(replacing).toBeVisible();
  await chooseItem(app, 'newScene');
  await expect(replacing).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Name of the new scene' })).toBeFocused();
  await page.keyboard.type('rain');
  await page.keyboard.press('Enter');
  await expect.poll(() => readFile(join(projectDir, 'game/scene/rain.txt'), 'utf8').catch(() => null)).toBe('');
  await chooseItem(app, 'closeTab');
  await chooseItem(app, 'shortcuts');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Ctrl+Shift+W');
  await page.keyboard.press('Escape');
  expect(app.pageErrors).toEqual([]);
});

test('keeps text that cannot be saved when the game is closed from the menu', async ({ app }) => {
  const { page, projectDir } = app;
  const code = page.getByTestId('code');
  await code.getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; mine');
  await writeFile(join(projectDir, 'game/scene/start.txt'), ':from outside;\nend;\n');
  await expect(page.getByRole('alert').filter({ hasText: 'changed outside' })).toBeVisible();
  await chooseItem(app, 'closeGame');
  await expect(page.getByText(/has text that could not be saved yet/)).toBeVisible();
  await expect(code.getByText('; mine')).toBeVisible();
  // Answers the question that the window shows before it closes.
  await app.desktop.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: false });
  });
});

test('gives every item its own key and leaves the page’s keys to the page', async ({ app }) => {
  await waitForPage(app);
  await expect.poll(() => labelsOf(app)).toContain('&File');
  const items = (await readMenu(app)).filter(({ accelerator }) => accelerator !== '');
  const keys = items.map(({ accelerator }) => accelerator.toLowerCase());
  expect(new Set(keys).size).toBe(keys.length);
  const shown = items.filter(({ ownsKey }) => !ownsKey).map(({ accelerator }) => accelerator);
  expect(shown).toEqual(expect.arrayContaining(['CmdOrCtrl+Z', 'CmdOrCtrl+A', 'CmdOrCtrl+F']));

  await chooseItem(app, 'closeGame');
  await expect(app.page.getByRole('button', { name: 'Guided tour' })).toBeVisible();
});

test.describe('with the stage open', () => {
  test.use({ foldsStage: false });

  withXdotool(`keys for views work while the game has the keyboard${xdotoolReason}`, async ({ app }) => {
    const { page } = app;
    await waitForPage(app);
    await expect(page.getByText('Stage connected')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: /^Click to play/ }).click();
    await expect(page.locator('iframe')).toBeFocused();
    await app.desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setTitle('keys of the game'));
    // Playwright's key events do not reach the native menus.
    const press = (key: string) =>
      execFileSync('xdotool', ['search', '--name', '^keys of the game$', 'windowfocus', '--sync', 'key', key]);
    press('ctrl+4');
    await expect(page.getByRole('region', { name: 'Work · History' })).toBeVisible();
  });
});

test('opens the log folder and the about box from the help menu', async ({ app }) => {
  await expect.poll(() => labelsOf(app)).toContain('&Help');
  await app.desktop.evaluate(({ shell, app: electron }) => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    shell.openPath = async (path) => {
      seen.push(path);
      return '';
    };
    electron.showAboutPanel = () => void seen.push('about');
  });
  await chooseItem(app, 'logFolder');
  await chooseItem(app, 'about');
  expect(await app.desktop.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([
    join(app.home, 'logs'),
    'about',
  ]);
});
