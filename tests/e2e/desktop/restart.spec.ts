import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { handToDesktopUser } from '../../support/window/desktop.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';

const tabsOf = (page: Page) => page.getByRole('navigation', { name: 'Open files' }).getByRole('listitem');

const readWindow = ({ desktop }: RunningApp) =>
  desktop.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window) throw new Error('There is no window.');
    return { bounds: window.getBounds(), zoom: Math.round(window.webContents.getZoomFactor() * 100) };
  });

test('restores layout, tabs, bounds, zoom and language after a restart', async ({ app }) => {
  const bounds = { x: 130, y: 70, width: 1300, height: 820 };
  await app.page.getByRole('button', { name: /^bridge\.txt/ }).click();
  await expect(tabsOf(app.page)).toContainText(['start.txt', 'bridge.txt']);
  await app.page.getByRole('button', { name: 'Hide the stage' }).click();
  const separator = app.page.getByRole('separator').first();
  await separator.focus();
  for (let count = 0; count < 3; count += 1) await app.page.keyboard.press('ArrowRight');
  const width = await readPaneWidth(app.page);
  await app.page.getByRole('button', { name: 'Language' }).click();
  await app.page.getByRole('menuitem', { name: '简体中文' }).click();
  await expect(app.page.getByRole('button', { name: '展开舞台' })).toBeVisible();
  await app.desktop.evaluate(({ BrowserWindow }, wanted) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.setBounds(wanted);
    window?.webContents.setZoomFactor(1.25);
  }, bounds);
  await expect.poll(() => readWindow(app)).toEqual({ bounds, zoom: 125 });

  await app.restart();
  await expect(app.page.getByRole('button', { name: '展开舞台' })).toBeVisible();
  await expect.poll(() => readWindow(app)).toEqual({ bounds, zoom: 125 });
  const tabs = app.page.getByRole('navigation', { name: '打开的文件' });
  await expect(tabs.getByRole('listitem')).toContainText(['start.txt', 'bridge.txt']);
  await expect(tabs.getByRole('button', { name: 'bridge.txt', exact: true })).toHaveAttribute('aria-current', 'page');
  expect(await readPaneWidth(app.page)).toBe(width);
});

test('starts in safe mode on the welcome page with a notice of its own height', async ({ app }) => {
  await app.restart(['--safe-mode']);
  const notice = app.page.getByRole('status').filter({ hasText: 'Safe mode' });
  await expect(notice.getByRole('button')).toBeVisible();
  const { height = 0 } = (await notice.boundingBox()) ?? {};
  expect(height).toBeGreaterThan(0);
  expect(height).toBeLessThan(90);
  await expect(app.page.getByRole('button', { name: 'Guided tour' })).toBeInViewport();
});

/** Returns the width of the first pane in percent of its group, from its separator. */
const readPaneWidth = (page: Page) => page.getByRole('separator').first().getAttribute('aria-valuenow');

test.describe('the stored window position', () => {
  test.use({ opensProject: false });

  test('is dropped when its screen is disconnected or the file is damaged', async ({ app }) => {
    const file = join(app.home, 'window.json');
    const put = async (text: string) => {
      await writeFile(file, text);
      handToDesktopUser(file);
    };
    // A start that ends before the page is shown counts as failed, and after two the app shows a dialog first.
    const killOnceOpen = async () => {
      await expect(app.page.getByText('Open the sample')).toBeVisible();
      await app.kill();
    };
    await killOnceOpen();
    await put(JSON.stringify({ place: { x: 9000, y: 5 }, width: 1200, height: 800, isMaximized: false }));
    await app.restart();
    await expect
      .poll(async () => (await readWindow(app)).bounds)
      .toMatchObject({ x: (1920 - 1200) / 2, width: 1200, height: 800 });
    await killOnceOpen();
    await put('{');
    await app.restart();
    await expect.poll(async () => (await readWindow(app)).bounds).toMatchObject({ width: 1440, height: 900 });
    await app.restart();
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ width: 1440, height: 900, isMaximized: false });
  });
});
