import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeElectron, type FakeBrowserWindow, type FakeSession } from '../../../tests/support/fake-electron.ts';
import { CONTENT_SECURITY_POLICY } from '../page/page-headers.ts';

type Fake = ReturnType<typeof createFakeElectron>['fake'];

let out: string;
let fake: Fake;

/** Starts the desktop host on a fake of the `electron` module, with everything else real. */
async function start(
  prepare: (fake: Fake) => void = () => {},
): Promise<{ window: FakeBrowserWindow; page: FakeSession }> {
  const created = createFakeElectron();
  fake = created.fake;
  prepare(fake);
  vi.resetModules();
  vi.doMock('electron', () => created.module);
  const { startDesktop } = await import('./start-desktop.ts');
  await startDesktop(out);
  return {
    window: fake.windows[0] as FakeBrowserWindow,
    page: fake.sessions.get('persist:webgal-agent') as FakeSession,
  };
}

const until = async (isTrue: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 300 && !isTrue(); tries += 1) await new Promise((done) => setTimeout(done, 10));
  expect(isTrue()).toBe(true);
};

beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'desktop-'));
  await mkdir(join(out, 'renderer', 'assets'), { recursive: true });
  await writeFile(join(out, 'renderer', 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(out, 'secret.txt'), 'secret');
  await mkdir(join(out, 'sample-game', 'game', 'scene'), { recursive: true });
  await writeFile(join(out, 'sample-game', 'game', 'config.txt'), 'Game_name:海边;\n');
  await writeFile(join(out, 'sample-game', 'game', 'scene', 'start.txt'), ':hi;\n');
  vi.stubEnv('WEBGAL_AGENT_HOME', join(out, 'home'));
  vi.stubEnv('WEBGAL_AGENT_DOCUMENTS', join(out, 'documents'));
  vi.stubEnv('WEBGAL_AGENT_KEYCHAIN', 'memory');
});

afterEach(async () => {
  if (fake.app.isReady) {
    fake.app.quit();
    await until(() => fake.app.done.at(-1) === 'quit');
  }
  vi.doUnmock('electron');
  vi.unstubAllEnvs();
  await rm(out, { recursive: true, force: true });
});

describe('the window', () => {
  it('is sandboxed, has no Node, and shows the bundle', async () => {
    const { window, page } = await start();
    expect(window.options).toEqual({
      width: 1440,
      height: 900,
      minWidth: 900,
      minHeight: 600,
      show: false,
      autoHideMenuBar: true,
      title: 'WebGAL Agent',
      backgroundColor: '#1b1a1f',
      webPreferences: {
        session: page,
        preload: join(out, 'preload', 'index.cjs'),
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
        spellcheck: false,
        backgroundThrottling: false,
        autoplayPolicy: 'no-user-gesture-required',
      },
    });
    expect([window.done, fake.app.done]).toEqual([['load app://webgal-agent/', 'show'], ['sandbox']]);
  });

  it.each([
    ['zh-CN', '还有内容没有保存好', '现在关闭,最后的改动可能会丢失。', ['留下', '仍要关闭']],
    [
      'en-GB',
      'Some changes are not saved yet',
      'If you close now, your latest changes may be lost.',
      ['Stay', 'Close anyway'],
    ],
  ])('asks in her language whether to leave what is not saved (%s)', async (locale, message, detail, buttons) => {
    const { window } = await start((each) => {
      each.app.locale = locale;
    });
    expect(window.webContents.tryToUnload()).toBe(false);
    fake.pressed = 1;
    expect(window.webContents.tryToUnload()).toBe(true);
    const options = {
      type: 'warning',
      title: 'WebGAL Agent',
      message,
      detail,
      noLink: true,
      buttons,
      defaultId: 0,
      cancelId: 0,
    };
    expect(fake.asked.map((asked) => (asked as [unknown, unknown])[1])).toEqual([options, options]);
    expect((fake.asked as [unknown, unknown][]).every(([parent]) => parent === window)).toBe(true);
  });

  it('keeps what the page stores, and clears what games stored before it opens', async () => {
    const { page } = await start();
    expect([[...fake.sessions.keys()], page.cleared]).toEqual([
      ['persist:webgal-agent'],
      [
        {
          dataTypes: ['fileSystems', 'indexedDB', 'localStorage', 'serviceWorkers'],
          excludeOrigins: ['app://webgal-agent'],
          originMatchingMode: 'origin-in-all-contexts',
        },
      ],
    ]);
  });

  it('is the only one: a second start hands over to it', async () => {
    const { window } = await start();
    fake.app.emit('second-instance');
    expect(window.done.slice(-2)).toEqual(['restore', 'focus']);
  });

  it('is not opened where the app runs already', async () => {
    await start((each) => {
      each.app.hasLock = false;
    });
    expect([fake.windows.length, fake.app.isReady, fake.app.done]).toEqual([0, false, ['sandbox', 'quit']]);
  });

  it('comes back where it was, unless that place is gone', async () => {
    await mkdir(join(out, 'home'), { recursive: true });
    const file = join(out, 'home', 'window.json');
    const at = async (x: number) => {
      await writeFile(file, JSON.stringify({ place: { x, y: 5 }, width: 1200, height: 800, isMaximized: false }));
      const { window } = await start();
      const { x: left, width } = window.options as { x?: number; width: number };
      return [left, width];
    };
    expect(await at(50)).toEqual([50, 1200]);
    fake.windows[0]?.emit('close');
    await until(() => fake.windows.length === 1);
    const kept = async () => JSON.parse(await readFile(file, 'utf8')) as { width: number };
    for (let tries = 0; tries < 100 && (await kept()).width !== 1000; tries += 1)
      await new Promise((f) => setTimeout(f, 10));
    expect(await kept()).toEqual({ place: { x: 10, y: 20 }, width: 1000, height: 700, isMaximized: false });
    fake.app.quit();
    await until(() => fake.app.done.at(-1) === 'quit');
    expect(await at(9000)).toEqual([undefined, 1200]);
  });

  it.each(['{', '{"width":-1}', '[]'])('opens as the first time when its file is odd: %s', async (text) => {
    await mkdir(join(out, 'home'), { recursive: true });
    await writeFile(join(out, 'home', 'window.json'), text);
    const { window } = await start();
    expect(window.options).toMatchObject({ width: 1440, height: 900 });
  });
});

describe('what the window refuses', () => {
  it('to go anywhere but its own page, and its frames anywhere but the stage', async () => {
    const { window } = await start();
    const tries: [string, boolean][] = [
      ['app://webgal-agent/', true],
      ['app://other/', true],
      ['https://example.com/', true],
      ['file:///etc/passwd', true],
      ['http://127.0.0.1:5000/', true],
      ['http://127.0.0.1:5000/index.html', false],
      ['http://127.0.0.1.evil.example:80/', false],
      ['https://example.com/', false],
      ['http://localhost:5000/', false],
      ['file:///etc/passwd', false],
    ];
    const went = tries.map(([url, isMainFrame]) =>
      window.webContents.tryToGo('will-frame-navigate', { url, isMainFrame }),
    );
    expect(went).toEqual([true, false, false, false, false, true, false, false, false, false]);
    expect(window.webContents.tryToGo('will-redirect', { url: 'https://example.com/', isMainFrame: true })).toBe(false);
  });

  it('new windows, permissions, devices, downloads and embedded views', async () => {
    const { window, page } = await start();
    const answers: boolean[] = [];
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'openExternal',
      'fullscreen',
    ]) {
      page.permissionRequest?.(null, permission, (isGranted) => answers.push(isGranted));
      answers.push(page.permissionCheck?.(null, permission) ?? true);
    }
    answers.push(page.devicePermission?.({}) ?? true);
    let prevented = 0;
    for (const url of [
      'https://example.com/a.zip',
      'blob:http://127.0.0.1:4000/game',
      'app://webgal-agent/x',
      'blob:app://webgal-agent.example/x',
    ]) {
      page.emit('will-download', { preventDefault: () => (prevented += 1) }, { getURL: () => url });
    }
    page.emit(
      'will-download',
      { preventDefault: () => (prevented += 100) },
      { getURL: () => 'blob:app://webgal-agent/picture' },
    );
    window.webContents.emit('will-attach-webview', { preventDefault: () => (prevented += 1) });
    const opening = window.webContents.windowOpenHandler?.({ url: 'https://example.com' });
    expect([new Set(answers), prevented, opening]).toEqual([new Set([false]), 5, { action: 'deny' }]);
  });
});

describe('the app:// protocol', () => {
  const get = async (page: FakeSession, url: string, method = 'GET') => {
    const response = await page.schemes.get('app')?.(new Request(url, { method }));
    return [response?.status, await response?.text(), response?.headers.get('content-security-policy')];
  };

  it('is a web origin of its own, registered before Electron is ready', async () => {
    await start();
    expect(fake.privileges).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
  });

  it('serves the bundle under the content security policy', async () => {
    const { page } = await start();
    expect(await get(page, 'app://webgal-agent/')).toEqual([
      200,
      '<!doctype html><title>page</title>',
      CONTENT_SECURITY_POLICY,
    ]);
  });

  it.each([
    ['app://other/', 'GET'],
    ['app://webgal-agent/../secret.txt', 'GET'],
    ['app://webgal-agent/%2e%2e/secret.txt', 'GET'],
    ['app://webgal-agent/..%2fsecret.txt', 'GET'],
    ['app://webgal-agent/', 'POST'],
  ])('serves nothing else: %s %s', async (url, method) => {
    const { page } = await start();
    expect((await get(page, url, method)).slice(0, 2)).toEqual([404, 'Not found.']);
  });
});

describe('calls', () => {
  it('are answered to the page in the top frame of the window', async () => {
    const { window } = await start();
    const from = { sender: window.webContents, senderFrame: window.webContents.mainFrame };
    expect(await fake.invoke('app:call', from, 'app.info', {})).toMatchObject({
      ok: true,
      value: { host: 'electron', systemLocale: 'zh-CN', hasFolderDialog: true },
    });
  });

  it('are refused to the stage below it, to another window, to another page in it, and to nonsense', async () => {
    const { window } = await start();
    const { webContents } = window;
    const { mainFrame } = webContents;
    const refused = [
      await fake.invoke(
        'app:call',
        { sender: webContents, senderFrame: { url: 'http://127.0.0.1:5000/' } },
        'app.info',
        {},
      ),
      await fake.invoke('app:call', { sender: webContents, senderFrame: { ...mainFrame } }, 'app.info', {}),
      await fake.invoke('app:call', { sender: webContents, senderFrame: null }, 'app.info', {}),
      await fake.invoke('app:call', { sender: {}, senderFrame: mainFrame }, 'app.info', {}),
      await fake.invoke('app:call', { sender: webContents, senderFrame: mainFrame }, { evil: 1 }, {}),
    ];
    webContents.mainFrame.url = 'https://example.com/';
    refused.push(await fake.invoke('app:call', { sender: webContents, senderFrame: mainFrame }, 'app.info', {}));
    expect(refused.map((reply) => (reply as { error: { code: string } }).error.code)).toEqual(
      Array(6).fill('E_POLICY_VIOLATION'),
    );
  });

  it('open folders through the system, and links only over https', async () => {
    const { window } = await start();
    const from = { sender: window.webContents, senderFrame: window.webContents.mainFrame };
    const call = (method: string, input: unknown = {}) => fake.invoke('app:call', from, method, input);
    expect(await call('project.pick')).toEqual({ ok: true, value: { status: 'cancelled' } });
    fake.picked = { canceled: false, filePaths: [join(out, 'sample-game')] };
    expect(await call('project.pick')).toMatchObject({ ok: true, value: { project: { title: '海边' } } });
    await call('app.openLink', { url: 'https://example.com/a' });
    await call('app.openLink', { url: 'http://example.com/b' });
    await call('app.openLink', { url: 'file:///etc/passwd' });
    expect(fake.opened).toEqual(['https://example.com/a']);
  });

  it('stop with the window, and the app ends only when it has put everything down', async () => {
    const { window } = await start();
    window.webContents.isGone = true;
    window.emit('closed');
    expect([...fake.handlers.keys()]).toEqual([]);
    fake.app.emit('window-all-closed');
    await until(() => fake.app.done.at(-1) === 'quit');
    expect(fake.app.done).toEqual(['sandbox', 'quit held back', 'quit']);
  });
});

it('says what is wrong instead of dying silently', async () => {
  await rm(join(out, 'renderer'), { recursive: true });
  await start();
  expect([fake.errors.length, fake.app.done]).toEqual([1, ['sandbox', 'exit 1']]);
});
