import { expect, type RunningApp, test } from '../fixtures.ts';

test.use({ opensProject: false });

declare global {
  var opened: string[];
}

/** Records URLs that would be opened in the system's browser. */
const watchShell = ({ desktop }: RunningApp) =>
  desktop.evaluate(({ shell }) => {
    globalThis.opened = [];
    shell.openExternal = async (url) => void globalThis.opened.push(url);
  });
const readOpened = ({ desktop }: RunningApp) => desktop.evaluate(() => globalThis.opened);

/** Calls the app like the page's code. */
const call = ({ page }: RunningApp, method: string, input: unknown) =>
  page.evaluate(
    ([name, data]) =>
      (globalThis as unknown as { appWire: { call(...args: unknown[]): Promise<unknown> } }).appWire.call(name, data),
    [method, input] as const,
  );

test('opens https links, and no others, in the system’s browser', async ({ app }) => {
  await watchShell(app);
  await app.page.getByRole('button', { name: 'Open the sample' }).click();
  await app.page.getByRole('button', { name: 'Connect a model' }).click();
  const settings = app.page.getByRole('region', { name: /Settings/ });
  await settings.getByText('DeepSeek').click();
  await settings.getByRole('button', { name: 'Where do I get a key?' }).click();
  await expect.poll(() => readOpened(app)).toEqual(['https://platform.deepseek.com/api_keys']);
  for (const url of ['http://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'smb://server/share', 7]) {
    expect(await call(app, 'app.openLink', { url })).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGS' } });
  }
  expect(await readOpened(app)).toEqual(['https://platform.deepseek.com/api_keys']);
});

test('keeps the page from navigating, opening windows and getting permissions', async ({ app }) => {
  await watchShell(app);
  const { page } = app;
  await expect(page.getByText('Open the sample')).toBeVisible();
  const home = page.url();
  for (const url of ['https://example.com/', 'http://127.0.0.1:9/', 'file:///etc/passwd', 'app://other/']) {
    // In a timer, because Playwright would wait for the navigation.
    await page.evaluate(`void setTimeout(() => { location.href = ${JSON.stringify(url)}; })`);
    expect(await page.evaluate(`window.open(${JSON.stringify(url)}) === null`)).toBe(true);
    expect(page.url()).toBe(home);
  }
  const asked = await page.evaluate(`Promise.all([
    Notification.requestPermission(),
    navigator.mediaDevices.getUserMedia({ audio: true }).catch((error) => error.name),
    new Promise((resolve) => navigator.geolocation.getCurrentPosition(resolve, (error) => resolve(error.code))),
    navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state),
  ])`);
  expect(asked).toEqual(['denied', expect.stringMatching(/^Not(Allowed|Found)Error$/), 1, 'denied']);
  const windows = await app.desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  expect([windows, await readOpened(app)]).toEqual([1, []]);
  // Not with a locator: Playwright treats the refused navigations as pending.
  expect(await page.evaluate('document.body.innerText')).toContain('Open the sample');
});

test('serves only the bundle, with its policy, at app://', async ({ app }) => {
  // Requested by the session, to bypass the page's policy.
  const ask = (url: string, method = 'GET') =>
    app.desktop.evaluate(
      async ({ BrowserWindow }, request) => {
        const session = BrowserWindow.getAllWindows()[0]?.webContents.session;
        const answer = await session?.fetch(request.url, { method: request.method });
        return [answer?.status, await answer?.text(), answer?.headers.get('content-security-policy')];
      },
      { url, method },
    );
  expect(await ask('app://webgal-agent/')).toEqual([
    200,
    expect.stringContaining('<div id="root"'),
    expect.stringContaining("default-src 'none'"),
  ]);
  for (const url of [
    'app://other/',
    'app://webgal-agent/../main/electron.js',
    'app://webgal-agent/%2e%2e/main/electron.js',
    'app://webgal-agent/..%2fmain%2felectron.js',
  ]) {
    expect((await ask(url)).slice(0, 2), url).toEqual([404, 'Not found.']);
  }
  expect((await ask('app://webgal-agent/', 'POST'))[0]).toBe(404);
});
