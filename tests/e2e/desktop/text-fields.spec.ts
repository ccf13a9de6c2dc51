import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from '@playwright/test';
import { expect, type RunningApp, test } from '../fixtures.ts';

test.setTimeout(120_000);
test.use({ foldsStage: true });

/** Records context menus and closes them; `takeMenu` returns their items. */
function watchMenus({ desktop }: RunningApp): Promise<void> {
  return desktop.evaluate(({ Menu }) => {
    const opened: Electron.Menu[] = [];
    Object.assign(globalThis, { opened });
    const { popup } = Menu.prototype;
    Menu.prototype.popup = function (options) {
      opened.push(this);
      popup.call(this, options);
      setTimeout(() => this.closePopup(), 200);
    };
  });
}

const takeMenu = ({ desktop }: RunningApp): Promise<{ label: string; isEnabled: boolean }[] | null> =>
  desktop.evaluate(() => {
    const { opened } = globalThis as unknown as { opened: Electron.Menu[] };
    const items = opened.splice(0).at(-1)?.items;
    const shown = items?.filter((item) => item.visible && item.type !== 'separator');
    return shown?.map(({ label, enabled }) => ({ label, isEnabled: enabled })) ?? null;
  });

const viewsOf = ({ page }: RunningApp) => page.locator('#region-rail');

async function openSearch(app: RunningApp): Promise<Locator> {
  await viewsOf(app).getByRole('button', { name: 'Assets' }).click();
  return app.page.locator('#region-middle').getByRole('textbox', { name: 'Find by name' });
}

test('shows a context menu in text fields, in the app’s language; the editor shows its own', async ({ app }) => {
  const { page } = app;
  await watchMenus(app);
  const search = await openSearch(app);
  await search.fill('rain in town');
  await search.selectText();
  await search.click({ button: 'right' });
  await expect
    .poll(() => takeMenu(app))
    .toEqual([
      { label: 'Cu&t', isEnabled: true },
      { label: '&Copy', isEnabled: true },
      { label: '&Paste', isEnabled: expect.any(Boolean) },
      { label: 'Select &All', isEnabled: true },
    ]);

  await viewsOf(app).getByRole('button', { name: 'Write' }).click();
  await page.locator('.monaco-editor .view-lines').first().click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Cut' })).toBeVisible();
  expect(await takeMenu(app)).toBeNull();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Language' }).click();
  await page
    .getByRole('menuitem', { name: '简体中文' })
    .or(page.getByRole('menuitemradio', { name: '简体中文' }))
    .click();
  await viewsOf(app).getByRole('button', { name: '素材' }).click();
  await page.getByRole('textbox', { name: '按名字查找' }).click({ button: 'right' });
  await expect.poll(async () => (await takeMenu(app))?.map(({ label }) => label)).toContain('粘贴(&P)');
  expect(app.pageErrors).toEqual([]);
});

test.describe('with the server of dictionaries on this machine', () => {
  test.use({ switches: ['--host-resolver-rules=MAP *.gvt1.com 127.0.0.1'] });

  test('downloads no dictionary until spell check is switched on', async ({ app }) => {
    const { page, desktop } = app;
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://dictionaries.gvt1.com:${(server.address() as AddressInfo).port}/`;
    try {
      const spelling = () =>
        desktop.evaluate(({ BrowserWindow }) => {
          const session = BrowserWindow.getAllWindows()[0]?.webContents.session;
          return { isOn: session?.isSpellCheckerEnabled(), languages: session?.getSpellCheckerLanguages() };
        });
      expect(await spelling()).toEqual({ isOn: false, languages: [] });
      await desktop.evaluate(({ BrowserWindow }, place) => {
        BrowserWindow.getAllWindows()[0]?.webContents.session.setSpellCheckerDictionaryDownloadURL(place);
      }, url);
      await (await openSearch(app)).pressSequentially('a mispelt wrod ');
      expect(asked).toEqual([]);

      await viewsOf(app).getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('switch', { name: 'Check spelling in text fields' }).click({ force: true });
      await expect.poll(spelling).toEqual({ isOn: true, languages: ['en-US'] });
      await expect.poll(() => asked).toEqual([expect.stringMatching(/^\/en-US-.*\.bdic$/i)]);
      await page.getByRole('switch', { name: 'Check spelling in text fields' }).click({ force: true });
      await expect.poll(spelling).toEqual({ isOn: false, languages: [] });
    } finally {
      server.close();
    }
  });
});
