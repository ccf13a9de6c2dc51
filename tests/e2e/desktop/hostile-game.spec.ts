import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from '@playwright/test';
import { startOtherProgram } from '../../support/attacks/hostile-game.ts';
import { expect, test } from '../fixtures.ts';

// `../hostile-game.spec.ts` covers what applies to browsers too: network, workers, focus. This file covers the desktop window.
// Software rendering is slow.
test.setTimeout(120_000);

/** Waits for the body: the engine loads the game's script by itself, before or after the page is parsed. */
const ONCE_PARSED = `
  const onceParsed = (work) =>
    document.readyState === 'loading' ? addEventListener('DOMContentLoaded', work, { once: true }) : work();
`;

/** Stores the outcome of each attack in a global of the stage. */
const ATTACKS = `(() => {
  ${ONCE_PARSED}
  const outcomes = {};
  globalThis.outcomes = outcomes;
  const note = (name, work) => {
    try {
      Promise.resolve(work()).then((value) => { outcomes[name] = String(value); }, (error) => { outcomes[name] = 'refused: ' + error.name; });
    } catch (error) { outcomes[name] = 'refused: ' + error.name; }
  };
  note('wire', () => typeof globalThis.appWire + typeof globalThis.require + typeof globalThis.process + typeof globalThis.electron);
  note('wire of the page', () => typeof parent.appWire);
  note('document of the page', () => parent.document.title);
  note('popup', () => window.open('https://example.com/?stolen=1'));
  note('popup of the page', () => window.open('app://webgal-agent/'));
  note('fetch of the page', () => fetch('app://webgal-agent/').then((answer) => answer.status));
  note('notification', () => Notification.requestPermission());
  note('microphone', () => navigator.mediaDevices.getUserMedia({ audio: true }));
  note('clipboard', () => navigator.clipboard.readText());
  note('position', () => new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('granted'), (error) => resolve('refused: ' + error.code))));
  note('top', () => { top.location.href = 'https://example.com/?top=1'; return 'left'; });
  note('frame', () => new Promise((resolve) => onceParsed(() => {
    const frame = document.createElement('iframe');
    frame.src = 'app://webgal-agent/';
    document.body.append(frame);
    setTimeout(() => { try { resolve(frame.contentDocument?.body?.innerHTML === '' ? 'empty' : 'refused: blocked'); } catch (error) { resolve('refused: ' + error.name); } }, 1000);
  })));
  const download = (href) => {
    const link = document.createElement('a');
    link.href = href;
    link.download = 'game.exe';
    link.click();
  };
  onceParsed(() => {
    download(URL.createObjectURL(new Blob(['MZ'])));
    download('data:application/octet-stream,MZ');
    download('game/config.txt');
  });
})();
`;

const OUTCOMES = {
  wire: 'undefinedundefinedundefinedundefined',
  'wire of the page': 'refused: SecurityError',
  'document of the page': 'refused: SecurityError',
  popup: 'null',
  'popup of the page': 'null',
  'fetch of the page': 'refused: TypeError',
  notification: 'denied',
  // NotFoundError on a machine without a microphone.
  microphone: expect.stringMatching(/^refused: Not(Allowed|Found)Error$/),
  clipboard: 'refused: NotAllowedError',
  position: 'refused: 1',
  top: 'refused: SecurityError',
  frame: 'refused: blocked',
};

test.describe('a game that asks for names of servers', () => {
  test.use({
    gameScript: `${ONCE_PARSED}
    const ask = (root) => {
      for (const rel of ['dns-prefetch', 'preconnect', 'prefetch dns-prefetch']) {
        const link = root.createElement('link');
        link.rel = rel;
        link.href = 'https://words-of-the-game.example.com/' + Math.random();
        root.head.append(link);
      }
    };
    onceParsed(() => {
      ask(document);
      const frame = document.createElement('iframe');
      document.body.append(frame);
      ask(frame.contentDocument);
      globalThis.hasAsked = true;
    });`,
  });

  test('lets no name server be asked', async ({ app }) => {
    const stage = (): Frame | undefined => app.page.frames().find((frame) => frame.url().includes('.localhost:'));
    const hasAsked = () =>
      stage()
        ?.evaluate('globalThis.hasAsked === true')
        .catch(() => null);
    await expect.poll(hasAsked, { timeout: 60_000 }).toBe(true);
    const file = join(app.home, 'net-log.json');
    await app.desktop.evaluate(async ({ BrowserWindow }, path) => {
      const { netLog } = (BrowserWindow.getAllWindows()[0] as Electron.BrowserWindow).webContents.session;
      await netLog.startLogging(path, { captureMode: 'everything' });
    }, file);
    await stage()?.evaluate('void setTimeout(() => location.reload())');
    await expect.poll(hasAsked, { timeout: 60_000 }).toBe(true);
    await app.page.waitForTimeout(500);
    await app.desktop.evaluate(async ({ BrowserWindow }) => {
      const { session } = (BrowserWindow.getAllWindows()[0] as Electron.BrowserWindow).webContents;
      // The log shows a name that is resolved.
      await session.resolveHost('name-of-the-test.example.com').catch(() => undefined);
      await session.netLog.stopLogging();
    });
    const log = await readFile(file, 'utf8');
    expect(log).toContain('name-of-the-test.example.com');
    expect(log).not.toContain('words-of-the-game.example.com');
  });
});

test.use({ gameScript: ATTACKS });

test('refuses every attack of a game on the app, which keeps running', async ({ app }) => {
  const { page } = app;
  const other = await startOtherProgram();
  await app.desktop.evaluate(({ app: program, BrowserWindow }) => {
    const seen = { windows: 0, downloads: 0 };
    Object.assign(globalThis, { seen });
    program.on('browser-window-created', () => (seen.windows += 1));
    // The app's listeners run first, so a download that is not prevented here was allowed.
    BrowserWindow.getAllWindows()[0]?.webContents.session.on('will-download', (event) => {
      if (!event.defaultPrevented) seen.downloads += 1;
    });
  });
  const stage = (): Frame | undefined => page.frames().find((frame) => frame.url().includes('.localhost:'));
  const read = () =>
    stage()
      ?.evaluate('globalThis.outcomes')
      .catch(() => null);
  await expect.poll(read, { timeout: 60_000 }).toEqual(OUTCOMES);

  await test.step('refuses IPC calls, even with the real channel names', async () => {
    const reply = await app.desktop.evaluate(async ({ BrowserWindow, ipcMain }) => {
      // Simulates a preload in the frame: calls the real handler with the stage's frame as the sender.
      const sender = BrowserWindow.getAllWindows()[0]?.webContents;
      const senderFrame = sender?.mainFrame.framesInSubtree.find((frame) => frame.url.includes('.localhost:'));
      const handlers = (ipcMain as unknown as { _invokeHandlers: Map<string, (...args: unknown[]) => unknown> })
        ._invokeHandlers;
      const call = handlers.get('app:call');
      const ask = (from: object) => call?.(from, 'app.info', {});
      return [
        await ask({ sender, senderFrame: sender?.mainFrame }),
        await ask({ sender, senderFrame }),
        await ask({ sender, senderFrame: null }),
        await ask({ sender: {}, senderFrame: sender?.mainFrame }),
      ];
    });
    expect(reply).toEqual([
      expect.objectContaining({ ok: true }),
      ...Array(3).fill({ ok: false, error: expect.objectContaining({ code: 'E_POLICY_VIOLATION' }) }),
    ]);
  });

  await test.step('allows the game to reload its own page', async () => {
    await stage()?.evaluate('globalThis.isOld = true; void setTimeout(() => location.reload())');
    const isOld = () =>
      stage()
        ?.evaluate('globalThis.isOld === true')
        .catch(() => null);
    await expect.poll(isOld, { timeout: 60_000 }).toBe(false);
    await expect.poll(read, { timeout: 60_000 }).toEqual(OUTCOMES);
  });

  await test.step('blocks navigation to another local program, a file, the page or a site', async () => {
    for (const url of [`${other.origin}/`, 'file:///etc/passwd', 'app://webgal-agent/', 'https://example.com/']) {
      await stage()
        ?.evaluate(`void setTimeout(() => { location.href = ${JSON.stringify(url)}; })`)
        .catch(() => undefined);
      await page.waitForTimeout(500);
      const others = page.frames().filter((frame) => frame !== page.mainFrame());
      expect(
        others.filter((frame) => frame.url().startsWith(url)),
        url,
      ).toEqual([]);
    }
  });

  await other.close();
  expect(other.requests).toEqual([]);
  expect(page.url()).toBe('app://webgal-agent/');
  expect(await app.desktop.evaluate(() => (globalThis as unknown as { seen: object }).seen)).toEqual({
    windows: 0,
    downloads: 0,
  });
  await expect(page.getByTestId('code').getByText('小满').first()).toBeVisible();
});
