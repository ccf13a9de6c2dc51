import { expect, type RunningApp, test } from '../fixtures.ts';

// Software rendering is slow.
test.setTimeout(240_000);

async function moveOut({ page }: RunningApp) {
  await page.getByRole('button', { name: 'More for the stage' }).click();
  const [own] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('menuitem', { name: 'In a window of its own' }).click(),
  ]);
  await own.waitForSelector('iframe', { timeout: 60_000 });
  return own;
}

/** The stage's window, by its address. */
const inStageWindow = ({ desktop }: RunningApp) =>
  desktop.evaluate(({ BrowserWindow }) => {
    const own = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().endsWith('?window=stage'));
    return own ? { hasMenu: own.isMenuBarVisible(), session: own.webContents.session.getStoragePath() } : null;
  });

test('opens no other window, gives this one no menu, and closes it by its own key', async ({ app }) => {
  const { page } = app;
  const refused = await page.evaluate(() =>
    ['https://example.com/', 'about:blank', './', './?window=stage&other'].map((url) => window.open(url)),
  );
  expect(refused).toEqual([null, null, null, null]);
  const own = await moveOut(app);
  expect(await page.evaluate(() => window.open('./?window=stage', 'another'))).toBeNull();
  const { hasMenu, session } = (await inStageWindow(app)) ?? {};
  expect(hasMenu).toBe(false);
  expect(session).toMatch(/webgal-agent/);
  expect(await own.evaluate(() => 'require' in globalThis || 'process' in globalThis)).toBe(false);
  // As the system sends it: keys of a test driver pass by the window.
  await app.desktop.evaluate(({ BrowserWindow }) => {
    const shown = BrowserWindow.getAllWindows().find(({ webContents }) =>
      webContents.getURL().endsWith('?window=stage'),
    );
    shown?.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'W', modifiers: ['control'] });
  });
  await expect.poll(() => own.isClosed()).toBe(true);
  await expect(page.locator('iframe')).toHaveCount(1);
});

test('opens again with the size that it was given', async ({ app }) => {
  const setSize = () =>
    app.desktop.evaluate(({ BrowserWindow }) => {
      const own = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().endsWith('?window=stage'),
      );
      own?.setSize(700, 450);
    });
  const size = () =>
    app.desktop.evaluate(({ BrowserWindow }) => {
      const own = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().endsWith('?window=stage'),
      );
      return own?.getSize();
    });
  const own = await moveOut(app);
  await setSize();
  await expect.poll(size).toEqual([700, 450]);
  await own.close();
  await expect(app.page.locator('iframe')).toHaveCount(1);
  await moveOut(app);
  await expect.poll(size).toEqual([700, 450]);
});
