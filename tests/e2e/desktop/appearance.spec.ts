import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { palettes } from '../../../renderer/ui/theme/palette.ts';
import { handToDesktopUser } from '../../support/window/desktop.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';
import { chooseItem } from './native-menu.ts';

test.setTimeout(120_000);

const readWindow = ({ desktop }: RunningApp) =>
  desktop.evaluate(({ BrowserWindow, nativeTheme }) => {
    const window = BrowserWindow.getAllWindows()[0];
    return {
      theme: nativeTheme.themeSource,
      colour: window?.getBackgroundColor().toLowerCase(),
      zoom: window?.webContents.getZoomLevel(),
      bounds: window?.getBounds(),
    };
  });

/** Returns elements that are cut off: wider than the window, or a pane without space. */
const findOverflow = (page: Page): Promise<string[]> => page.evaluate(FIND_OVERFLOW);

const FIND_OVERFLOW = `(() => {
  const found = [];
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth) found.push('page is ' + scrollWidth + ' wide in ' + innerWidth);
  if (scrollHeight > innerHeight) found.push('page is ' + scrollHeight + ' high in ' + innerHeight);
  // Notices have a region in each corner, which is empty without them.
  for (const region of document.querySelectorAll('[data-region]:not([data-region="controls"])')) {
    const { left, right, top, bottom, width, height } = region.getBoundingClientRect();
    const isInside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
    if (!isInside || width < 20 || height < 20) found.push(region.id + ' is cut off');
  }
  return found;
})()`;

const resize = ({ desktop }: RunningApp, width: number, height: number) =>
  desktop.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setSize(size[0] ?? 0, size[1] ?? 0),
    [width, height],
  );

test.describe('the theme', () => {
  test.use({ opensProject: false });

  test('of the window follows the setting and is set before the page loads at the next start', async ({ app }) => {
    expect((await readWindow(app)).theme).toBe('system');
    await app.page.getByRole('button', { name: 'Appearance' }).click();
    await app.page
      .getByRole('menuitem', { name: 'Dark' })
      .or(app.page.getByRole('menuitemradio', { name: 'Dark' }))
      .click();
    await expect.poll(() => readWindow(app)).toMatchObject({ theme: 'dark', colour: palettes.dark.paper });
    await app.restart();
    expect(await readWindow(app)).toMatchObject({ theme: 'dark', colour: palettes.dark.paper });
    expect(await app.desktop.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true);
    await app.page.getByRole('button', { name: 'Appearance' }).click();
    await app.page
      .getByRole('menuitem', { name: 'Light' })
      .or(app.page.getByRole('menuitemradio', { name: 'Light' }))
      .click();
    await expect.poll(() => readWindow(app)).toMatchObject({ theme: 'light', colour: palettes.light.paper });
  });
});

test.describe('zoom', () => {
  test.use({ foldsStage: true });

  test('changes by menu within its limits and survives a restart', async ({ app }) => {
    await chooseItem(app, 'zoomIn');
    await expect.poll(async () => (await readWindow(app)).zoom).toBe(0.5);
    for (let times = 0; times < 10; times++) await chooseItem(app, 'zoomIn');
    await expect.poll(async () => (await readWindow(app)).zoom).toBe(4);
    await chooseItem(app, 'zoomReset');
    await chooseItem(app, 'zoomOut');
    await expect.poll(async () => (await readWindow(app)).zoom).toBe(-0.5);
    await app.restart();
    expect((await readWindow(app)).zoom).toBe(-0.5);
  });
});

test('fits the smallest window', async ({ app }) => {
  await expect(app.page.locator('#region-middle')).toBeVisible();
  await resize(app, 900, 600);
  await expect.poll(() => findOverflow(app.page)).toEqual([]);
});

for (const scale of ['1.5', '2']) {
  test.describe(`on a screen scaled to ${Number(scale) * 100} %`, () => {
    test.use({ switches: [`--force-device-scale-factor=${scale}`] });

    test('fits the smallest window', async ({ app }) => {
      expect(await app.page.evaluate('devicePixelRatio')).toBe(Number(scale));
      await expect(app.page.locator('#region-middle')).toBeVisible();
      await resize(app, 900, 600);
      await expect.poll(() => findOverflow(app.page)).toEqual([]);
    });
  });
}

test.describe('a window stored on another screen', () => {
  test.use({ opensProject: false });

  test('opens visible and no larger than the screen', async ({ app }) => {
    const kept = { place: { x: 5000, y: 3000 }, width: 3800, height: 2100, isMaximized: false };
    await app.kill();
    await writeFile(join(app.home, 'window.json'), JSON.stringify(kept));
    handToDesktopUser(app.home);
    await app.restart();
    const { bounds } = await readWindow(app);
    const area = await app.desktop.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea);
    expect(bounds?.x).toBeGreaterThanOrEqual(area.x);
    expect(bounds?.y).toBeGreaterThanOrEqual(area.y);
    expect((bounds?.x ?? 0) + (bounds?.width ?? 0)).toBeLessThanOrEqual(area.x + area.width);
    expect((bounds?.y ?? 0) + (bounds?.height ?? 0)).toBeLessThanOrEqual(area.y + area.height);
  });
});
