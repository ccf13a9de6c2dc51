import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from '@playwright/test';
import { STORY_SCENE } from '../../support/games/story-script.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';

// In order: where not every worker has its own display (Windows, macOS), the windows of a run share one clipboard.
test.describe.configure({ mode: 'default' });
test.setTimeout(120_000);

const setClipboard = ({ desktop }: RunningApp, text: string) =>
  // A promise in newer versions.
  desktop.evaluate(async ({ clipboard }, words) => await clipboard.writeText(words), text);
const readClipboard = ({ desktop }: RunningApp) =>
  desktop.evaluate(async ({ clipboard }) => await clipboard.readText());

/** Chooses the Edit menu item with this role, like a click. */
const chooseRole = ({ desktop }: RunningApp, role: 'cut' | 'copy' | 'paste') =>
  desktop.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    const item = items.find((each) => each.role?.toLowerCase() === wanted);
    const [window] = BrowserWindow.getAllWindows();
    if (!item || !window) throw new Error(`The Edit menu has no "${wanted}".`);
    item.click(undefined, window, window.webContents);
  }, role);

/** Chooses an item of the next context menu, found by its label. */
const chooseAtPointer = ({ desktop }: RunningApp, label: string) =>
  desktop.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const { popup } = Menu.prototype;
    Menu.prototype.popup = function () {
      Menu.prototype.popup = popup;
      const [window] = BrowserWindow.getAllWindows();
      const item = this.items.find((each) => each.visible && each.label.replace('&', '') === wanted);
      if (!item?.enabled) throw new Error(`The context menu has no "${wanted}".`);
      item.click(undefined, window, window?.webContents);
    };
  }, label);

test.describe('with the stage folded', () => {
  test.use({ foldsStage: true });

  test('cuts, copies and pastes in the editor by its own menu, the Edit menu and the keyboard', async ({ app }) => {
    const { page, projectDir } = app;
    const lines = page.getByTestId('code').locator('.view-lines');
    const first = lines.locator('.view-line').first();
    const ownMenu = async (item: string) => {
      await lines.click({ button: 'right', position: { x: 60, y: 8 } });
      const entry = page.getByRole('menuitem', { name: item, exact: true });
      await expect(entry).toBeVisible();
      // Monaco ignores the mouse for 100 ms after an item appears, so that the end of a right click chooses nothing. A later
      // and longer timer of the page runs after that one on any machine.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
      await entry.click();
    };
    await first.click();
    const begin = async () => {
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Shift+End');
    };
    const write = async (text: string) => {
      await begin();
      await page.keyboard.type(text);
      await begin();
    };

    await write(';from the menu');
    await setClipboard(app, ';pasted by its menu');
    await ownMenu('Paste');
    await expect(first).toHaveText(';pasted by its menu');
    await begin();
    await ownMenu('Copy');
    await expect.poll(() => readClipboard(app)).toBe(';pasted by its menu');
    await ownMenu('Cut');
    await expect(first).toHaveText('');

    await write(';by the Edit menu');
    await chooseRole(app, 'cut');
    await expect.poll(() => readClipboard(app)).toBe(';by the Edit menu');
    await expect(first).toHaveText('');
    await chooseRole(app, 'paste');
    await expect(first).toHaveText(';by the Edit menu');

    await write(';by keyboard');
    await page.keyboard.press('Control+C');
    await expect.poll(() => readClipboard(app)).toBe(';by keyboard');
    await page.keyboard.press('Control+X');
    await expect(first).toHaveText('');
    await page.keyboard.press('Control+V');
    await expect(first).toHaveText(';by keyboard');
    await expect
      .poll(async () => (await readFile(join(projectDir, STORY_SCENE), 'utf8')).split('\n')[0])
      .toBe(';by keyboard');
    expect(app.pageErrors).toEqual([]);
  });

  test('cuts, copies and pastes in a text field by the context menu, the Edit menu and the keyboard', async ({
    app,
  }) => {
    const { page } = app;
    await page.locator('#region-rail').getByRole('button', { name: 'Assets' }).click();
    const field = page.locator('#region-middle').getByRole('textbox', { name: 'Find by name' });
    const atPointer = async (label: string) => {
      await chooseAtPointer(app, label);
      await field.click({ button: 'right' });
    };
    await field.fill('rain');
    await field.selectText();
    await atPointer('Cut');
    await expect(field).toHaveValue('');
    await atPointer('Paste');
    await expect(field).toHaveValue('rain');
    await setClipboard(app, 'old');
    await field.selectText();
    await atPointer('Copy');
    await expect.poll(() => readClipboard(app)).toBe('rain');

    await field.fill('sea');
    await field.selectText();
    await chooseRole(app, 'cut');
    await expect(field).toHaveValue('');
    await chooseRole(app, 'paste');
    await expect(field).toHaveValue('sea');

    await field.fill('wind');
    await field.selectText();
    await page.keyboard.press('Control+X');
    await expect(field).toHaveValue('');
    await page.keyboard.press('Control+V');
    await expect(field).toHaveValue('wind');
  });
});

test('lets the page read the clipboard, and not a frame of the stage, even after a click', async ({ app }) => {
  const { page } = app;
  await setClipboard(app, 'a secret of another program');
  await page.bringToFront();
  await page.getByTestId('code').locator('.view-lines').click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('a secret of another program');

  const stage = (): Frame | undefined => page.frames().find((frame) => frame.url().includes('.localhost:'));
  await expect(page.getByText('Stage connected')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: /^Click to play/ }).click();
  // Every method of a script. Evaluating counts as a user activation of the frame.
  const got = await stage()?.evaluate(async () => {
    const field = document.createElement('textarea');
    document.body.append(field);
    field.focus();
    const received: string[] = [];
    addEventListener('paste', (event) => received.push(event.clipboardData?.getData('text') ?? ''), true);
    const refusal = (error: Error) => error.name;
    return {
      isActive: document.hasFocus() && navigator.userActivation.isActive,
      readText: await navigator.clipboard.readText().catch(refusal),
      read: await navigator.clipboard.read().then((items) => items.length, refusal),
      execCommand: document.execCommand('paste'),
      received: `${received}${field.value}`,
      query: await navigator.permissions.query({ name: 'clipboard-read' as PermissionName }).then(({ state }) => state),
    };
  });
  expect(got).toEqual({
    isActive: true,
    readText: 'NotAllowedError',
    read: 'NotAllowedError',
    execCommand: false,
    received: '',
    query: 'denied',
  });
  expect(await readClipboard(app)).toBe('a secret of another program');
});
