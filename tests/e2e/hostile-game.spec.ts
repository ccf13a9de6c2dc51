import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from '@playwright/test';
import { CONNECTING, toExpressionAttack } from '../support/attacks/expression-attack.ts';
import { LOOT, type OtherProgram, startOtherProgram } from '../support/attacks/hostile-game.ts';
import {
  DEPARTURES,
  POWERS,
  type StageAttack,
  TRAFFIC,
  toAttackScript,
  WORKERS,
} from '../support/attacks/stage-attacks.ts';
import { expect, test } from './user-actions.ts';

let other: OtherProgram;
test.beforeEach(async () => {
  other = await startOtherProgram();
});
test.afterEach(() => other?.close());

const stageOf = (page: Page): Frame | undefined => page.frames().find((frame) => frame.url().includes('.localhost:'));

/** Returns the stage's frame after the game's script has run in it. */
async function findStage(page: Page): Promise<Frame> {
  const kind = () =>
    stageOf(page)
      ?.evaluate(`typeof globalThis.${LOOT}`)
      .catch(() => '');
  // Software rendering is slow, and the engine loads the game's scripts last.
  await expect.poll(kind, { timeout: 60_000 }).toBe('object');
  return stageOf(page) as Frame;
}

/** Collects the game's console messages: evaluating in its frame would count as a user activation. */
function listenToLoot(page: Page): { keys: () => string; isReady: () => boolean } {
  const messages: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('LOOT ')) messages.push(message.text().slice(5));
  });
  return {
    keys: () => messages.filter((word) => word !== 'ready').join(''),
    isReady: () => messages.includes('ready'),
  };
}

/** Returns the page's origin. Not `URL.origin`, which Node does not compute for the desktop window's scheme. */
function toOrigin(page: Page): string {
  const { protocol, host } = new URL(page.url());
  return `${protocol}//${host}`;
}

async function startListening(page: Page): Promise<ReturnType<typeof listenToLoot>> {
  const loot = listenToLoot(page);
  // The script may have run before the listener was added.
  await page.getByRole('button', { name: 'Load the stage again' }).click();
  await expect.poll(loot.isReady).toBe(true);
  return loot;
}

test.describe('a game that requests the focus continuously', () => {
  test.use({
    gameScript: `
      addEventListener('keydown', (event) => { console.log('LOOT ' + event.key); }, true);
      addEventListener('paste', (event) => { console.log('LOOT ' + event.clipboardData.getData('text')); }, true);
      for (const name of ['beforeinput', 'input', 'compositionstart', 'compositionupdate', 'compositionend', 'drop'])
        addEventListener(name, (event) => { console.log('LOOT ' + name + (event.data ?? '')); }, true);
      const field = document.createElement('input');
      console.log('LOOT ready');
      setInterval(() => {
        if (!field.isConnected) document.body?.append(field);
        window.focus(); field.focus(); document.body?.focus();
      }, 30);`,
  });

  test('receives no keystroke while an API key is typed', async ({ app }) => {
    const { page } = app;
    const loot = await startListening(page);
    await page.getByRole('button', { name: 'Connect a model' }).click();
    const settings = page.getByRole('region', { name: /Settings/ });
    await settings.getByText('Another service').click();
    const key = settings.getByLabel('Key', { exact: true });
    await key.click();
    await page.keyboard.type('sk-typed-under-attack', { delay: 20 });
    // As an input method enters text: without key events.
    await page.keyboard.insertText('-密');
    await expect(key).toHaveValue('sk-typed-under-attack-密');
    expect(loot.keys()).toBe('');
  });

  test('is stopped or ignored, and typed text goes where the user clicked', async ({ app }) => {
    const { page } = app;
    const loot = await startListening(page);
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    // The window denies the focus; a browser lets the game have it until the app stops it, which takes a busy engine seconds.
    if (app.hasWindow) await page.waitForTimeout(1500);
    else await expect(page.getByRole('button', { name: 'Start again' })).toBeVisible({ timeout: 40_000 });
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; first', { delay: 20 });
    await expect(code.getByText('; first')).toBeVisible();
    expect(loot.keys()).toBe('');
  });
});

test.describe('a game that listens to the keyboard', () => {
  test.use({
    gameScript: `console.log('LOOT ready'); addEventListener('keydown', (event) => { console.log('LOOT ' + event.key); }, true);`,
  });

  test('receives keys after a click on the stage, until another element is clicked', async ({ app }) => {
    const { page } = app;
    const loot = await startListening(page);
    await page.getByRole('button', { name: /^Click to play/ }).click();
    await expect(page.locator('iframe')).toBeFocused();
    // The browser moves the focus to the frame's process shortly after the page reports it.
    await expect
      .poll(async () => {
        await page.keyboard.press('x');
        return loot.keys();
      })
      .toMatch(/^x/);
    await page.keyboard.type('abc', { delay: 20 });
    await expect.poll(loot.keys).toMatch(/^x+abc$/);
    await page.getByTestId('code').getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; mine', { delay: 20 });
    await expect(page.getByTestId('code').getByText('; mine')).toBeVisible();
    expect(loot.keys()).toMatch(/^x+abc$/);
  });
});

test.describe('a game that sends messages without end', () => {
  test.use({
    gameScript: `
      const flood = () => {
        for (let count = 0; count < 200; count += 1) top.postMessage({ stage: 'listening', text: 'x'.repeat(10000) }, '*');
      };
      setInterval(flood, 5);
      const sockets = [];
      const open = () => {
        if (sockets.length > 200) return;
        const socket = new WebSocket('ws://' + location.host + (sockets.length % 2 ? '/__stage/bridge' : '/api/webgalsync'));
        sockets.push(socket);
        const state = { event: 'message', data: { command: 1, sceneMsg: { scene: 'start.txt', sentence: 1 }, stageSyncMsg: { a: 'x'.repeat(500000) } } };
        socket.onopen = () => setInterval(() => socket.bufferedAmount < 1e7 && socket.send(JSON.stringify(state)), 1);
      };
      setInterval(open, 5);
      setInterval(() => fetch('game/background/' + Math.random() + '.png').catch(() => {}), 1);`,
  });
  test.setTimeout(120_000);

  test('is stopped, and the app continues', async ({ app }) => {
    const { page } = app;
    const again = page.getByRole('button', { name: 'Start again' });
    await expect(again).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('This game kept sending messages')).toBeVisible();
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; alive', { delay: 20 });
    await expect(code.getByText('; alive')).toBeVisible();
    await again.click();
    await expect(again).toBeVisible({ timeout: 60_000 });
  });
});

test.describe('a game that blocks unloading', () => {
  test.use({
    gameScript: `console.log('LOOT ready'); addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });`,
  });

  test('is reloaded on request', async ({ app }) => {
    const { page } = app;
    await startListening(page);
    // Chromium runs beforeunload dialogs only for pages with a user activation.
    await page.getByRole('button', { name: /^Click to play/ }).click();
    await expect(page.locator('iframe')).toBeFocused();
    const mark = () =>
      stageOf(page)
        ?.evaluate('globalThis.__left = true')
        .catch(() => false);
    await expect.poll(mark).toBe(true);
    await page.getByRole('button', { name: 'Load the stage again' }).click();
    // While the frame loads, evaluating fails.
    const kind = () =>
      stageOf(page)
        ?.evaluate('typeof globalThis.__left')
        .catch(() => 'loading');
    await expect.poll(kind).toBe('undefined');
  });
});

test.describe('a game whose script never lets the engine start', () => {
  test.use({ gameScript: 'for (;;);' });
  test.setTimeout(120_000);

  test('is told, and plays once the script is repaired', async ({ app }) => {
    const { page, projectDir } = app;
    const lost = page.getByText('Load the stage again', { exact: true });
    await expect(page.getByText('The engine does not answer').first()).toBeVisible({ timeout: 60_000 });
    await writeFile(join(projectDir, 'lib', 'live2d.min.js'), '');
    await lost.click();
    await expect(page.getByText('Stage connected')).toBeVisible();
    await expect(lost).toBeHidden();
  });
});

test.describe('a game with an endless script', () => {
  test.use({ gameScript: `console.log('LOOT ready'); setTimeout(() => { for (;;); }, 2000);` });

  test('does not block the app and is reloaded on request', async ({ app }) => {
    const { page } = app;
    let starts = 0;
    page.on('console', (message) => {
      if (message.text() === 'LOOT ready') starts += 1;
    });
    // The script may have run before the listener was added.
    await page.waitForTimeout(4000);
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; alive', { delay: 20 });
    await expect(code.getByText('; alive')).toBeVisible();
    const before = starts;
    await page.getByRole('button', { name: 'Load the stage again' }).first().click();
    await expect.poll(() => starts, { timeout: 30_000 }).toBeGreaterThan(before);
  });
});

test.describe('a game that stores data', () => {
  test.use({
    gameScript: `
      const left = [localStorage.getItem('left'), /left/.exec(document.cookie)?.[0] ?? null];
      console.log('LOOT found ' + JSON.stringify(left));
      localStorage.setItem('left', 'x');
      document.cookie = 'left=1; max-age=9999';`,
  });

  test('finds no data on the next page', async ({ app }) => {
    const { page } = app;
    const messages: string[] = [];
    page.on('console', (message) => {
      if (message.text().startsWith('LOOT ')) messages.push(message.text());
    });
    for (let pages = 1; pages <= 2; pages += 1) {
      messages.length = 0;
      await page.reload();
      await expect.poll(() => messages, { timeout: 40_000 }).toContain('LOOT found [null,null]');
      expect(new Set(messages)).toEqual(new Set(['LOOT found [null,null]']));
    }
  });
});

test.describe('a game that tries every browser feature', () => {
  test.use({ gameScript: toAttackScript([...TRAFFIC, ...WORKERS, ...POWERS]) });
  test.setTimeout(180_000);

  test('reaches only its own stage, runs no worker and gets no permission', async ({ app }) => {
    const { page } = app;
    const frame = await findStage(page);
    const appOrigin = toOrigin(page);
    const attempt = async (rows: readonly StageAttack[]) => {
      const outcomes: Record<string, string> = {};
      for (let at = 0; at < rows.length; at += 25) {
        const names = rows.slice(at, at + 25).map(({ name }) => name);
        const call = `Promise.all(${JSON.stringify(names)}.map((name) => __attempt(name, ${JSON.stringify(other.origin)}, ${JSON.stringify(appOrigin)})))`;
        const answers = (await frame.evaluate(call)) as string[];
        for (const [index, name] of names.entries()) outcomes[name] = answers[index] ?? '';
      }
      return outcomes;
    };
    const granted = (outcomes: Record<string, string>) =>
      Object.entries(outcomes).filter(([, outcome]) => !/^(refused|asked$)/.test(outcome));

    await attempt(TRAFFIC);
    expect(granted(await attempt(WORKERS))).toEqual([]);
    expect(granted(await attempt(POWERS))).toEqual([]);
    await page.waitForTimeout(1000);
    expect(other.requests.map(({ url }) => url)).toEqual([]);
    expect([other.connections(), other.packets()]).toEqual([0, 0]);
    expect(page.url().startsWith(appOrigin)).toBe(true);
    expect(page.context().pages()).toHaveLength(1);

    const problems = page.getByRole('region', { name: 'Problems on stage' });
    await expect(problems).toContainText('This game tried to reach');
    expect(await problems.getByRole('listitem').count()).toBeLessThanOrEqual(50);
  });
});

test.describe('a game that replaces the global object before its script runs', () => {
  test.use({
    // Declared functions exist before the first statement. The surrounding function is closed and opened again.
    gameScript: `})();
      function globalThis() {}
      function Number() {}
      (() => {
      window.globalThis = window;
      globalThis.${LOOT} = {};
      globalThis.__connect = async (port) => {
        const frame = document.createElement('iframe');
        document.body.append(frame);
        const connection = new frame.contentWindow.RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + port }] });
        connection.createDataChannel('x');
        await connection.setLocalDescription(await connection.createOffer());
        await new Promise((done) => setTimeout(done, 1500));
      };`,
  });

  test('gets no connection between pages', async ({ app }) => {
    const frame = await findStage(app.page);
    await expect(frame.evaluate(`__connect(${other.port})`)).rejects.toThrow('RTCPeerConnection');
    expect(other.packets()).toBe(0);
  });
});

/** Reads what the game stored about its attempt to make a connection; empty while it is not done. */
const readConnection = (page: Page) => async (): Promise<string> => {
  const found = await stageOf(page)
    ?.evaluate(`globalThis.${LOOT}?.got.connection`)
    .catch(() => '');
  return String(found ?? '');
};

test.describe('a game that reloads its page, ends all timers and makes the browser free its memory', () => {
  test.use({
    gameScript: `
      if (!sessionStorage.getItem('again')) { sessionStorage.setItem('again', '1'); setTimeout(() => location.reload(), 500); return; }
      for (let id = 0; id < 20000; id += 1) clearInterval(id);
      const frame = document.createElement('iframe');
      document.body.append(frame);
      (async () => {
        for (let left = 30; left > 0; left -= 1) {
          try { globalThis.kept = new frame.contentWindow.RTCPeerConnection(); loot.got.connection = 'made'; return; } catch (error) { if (left === 1) loot.got.connection = error.message; }
          for (let block = 0; block < 40; block += 1) new ArrayBuffer(4e6);
          await new Promise((done) => setTimeout(done, 100));
        }
      })();`,
  });

  test('gets no connection of the page before', async ({ app }) => {
    // In the desktop window a connection reaches nothing, and no script waits until those of the page before are free.
    const expected = app.hasWindow ? /^made$|Cannot create so many/ : /Cannot create so many/;
    await expect.poll(readConnection(app.page), { timeout: 90_000 }).toMatch(expected);
  });
});

test.describe('a game without scripts, whose conditions run a program', () => {
  test('gets no connection', async ({ app }) => {
    const { page, projectDir } = app;
    await writeFile(join(projectDir, 'game/scene/start.txt'), toExpressionAttack(CONNECTING(other.port)));
    await page.getByRole('button', { name: 'Load the stage again' }).click();
    const play = async (): Promise<string> => {
      // One click for each text until the program runs; the frame itself may lie under the app's own layer.
      const frame = await stageOf(page)
        ?.frameElement()
        .catch(() => null);
      const place = await frame?.boundingBox().catch(() => null);
      if (place) await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
      return readConnection(page)();
    };
    await expect.poll(play, { timeout: 90_000, intervals: [1000] }).toContain('Cannot create so many');
    expect(other.packets()).toBe(0);
  });
});

test.describe('a game that navigates away', () => {
  test.use({ gameScript: toAttackScript(DEPARTURES) });
  test.setTimeout(300_000);

  test('is blocked and returns when the user reloads the stage', async ({ app }) => {
    const { page } = app;
    const appOrigin = toOrigin(page);
    const comeBack = () =>
      expect(async () => {
        if (!stageOf(page)) await page.getByRole('button', { name: 'Load the stage again' }).first().click();
        expect(await stageOf(page)?.evaluate('typeof __attempt')).toBe('function');
      }).toPass({ intervals: [500, 8000], timeout: 60_000 });
    for (const { name } of DEPARTURES) {
      await comeBack();
      const call = `__attempt(${JSON.stringify(name)}, ${JSON.stringify(other.origin)}, ${JSON.stringify(appOrigin)})`;
      // The evaluation may fail because its page is replaced.
      await stageOf(page)
        ?.evaluate(`void setTimeout(() => ${call})`)
        .catch(() => undefined);
      await page.waitForTimeout(1000);
      const urls = page.frames().flatMap((each) => (each === page.mainFrame() ? [] : [each.url()]));
      expect(
        urls.filter((url) => /^(blob|data|file|app|http:\/\/127)/.test(url)),
        name,
      ).toEqual([]);
      expect(page.url(), name).toBe(`${appOrigin}/`);
    }
    await comeBack();
    expect(other.requests.map(({ url }) => url)).toEqual([]);
    expect(other.connections()).toBe(0);
  });
});
