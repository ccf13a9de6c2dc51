import { readdir, readFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { join } from 'node:path';
import type { Frame, Page } from '@playwright/test';
import { VIEWERS } from '../../shared/model/viewer/viewers.ts';
import { LOOT, TALKING_ENGINE } from '../support/attacks/hostile-game.ts';
import type { RunningApp } from './fixtures.ts';
import { expect, test } from './user-actions.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(240_000);

const stageOf = (page: Page): Frame | undefined =>
  page.frames().find((frame) => /^http:\/\/stage-[^/]*\.localhost:/.test(frame.url()));

/** Returns the stage's frame after the game's program has run in it. */
async function findStage(page: Page): Promise<Frame> {
  const kind = () =>
    stageOf(page)
      ?.evaluate(`typeof globalThis.${LOOT}`)
      .catch(() => '');
  await expect.poll(kind, { timeout: 90_000 }).toBe('object');
  return stageOf(page) as Frame;
}

/** Arguments with which an action changes the window. */
const PARAMS = {
  scene: 'bookshop.txt',
  line: 3,
  from: 2,
  to: 4,
  path: 'game/background/bridge.webp',
  view: 'history',
  option: '1',
  name: 'warmth',
  value: '999',
  on: true,
  viewer: 'editor',
};
const ACTIONS = Object.values(VIEWERS).flatMap(({ actions }) => Object.keys(actions));

/** Each action in the words of the app's own event, and those of the owner's protocol; then what the engine's protocols say. */
const MESSAGES: readonly object[] = [
  ...ACTIONS.map((actionId) => ({
    event: 'viewer.requested',
    payload: { request: '1', page: 'page', actionId, params: PARAMS },
    stage: 'viewer',
  })),
  ...ACTIONS.map((id) => ({ type: 'viewer_action_request', request_id: '1', action_id: id, params: PARAMS })),
  { method: 'viewer.answer', input: { request: '1', page: 'page', result: { success: true, data: { stolen: true } } } },
  { stage: 'click', x: 9, y: 9 },
  { event: 'message', data: { command: 0, sceneMsg: { scene: 'bookshop.txt', sentence: 9 }, stageSyncMsg: {} } },
  { kind: 'request', type: 'preview.command.sync-scene', requestId: '1', payload: { sceneName: 'x', sentenceId: 1 } },
];

/** Sends all messages from one window of the game to the windows around it. Returns how many windows there were. */
const toForgery = (messages: readonly object[]): string => `(() => {
  const messages = ${JSON.stringify(messages)};
  const child = document.createElement('iframe');
  document.body.append(child);
  const nested = child.contentWindow;
  const popup = window.open('about:blank');
  messages.forEach((message, at) => {
    const from = at % 2 ? nested : window;
    from.eval('(message) => top.postMessage(message, "*")')(message);
  });
  return [nested !== null, popup !== null];
})()`;

/** Fewer messages of one page than the app takes for a flood, with that of the page itself. */
const BATCH = 3;

async function reloadFrame(page: Page): Promise<void> {
  await stageOf(page)?.evaluate('globalThis.isOld = true; void setTimeout(() => location.reload())');
  // Messages are counted from the load of the page on.
  const isLoaded = () =>
    stageOf(page)
      ?.evaluate(`globalThis.isOld === undefined && document.readyState === 'complete'`)
      .catch(() => null);
  await expect.poll(isLoaded, { timeout: 60_000 }).toBe(true);
}

/** The address and token of the window's own door for other programs. */
async function readDoor({ home }: RunningApp): Promise<{ port: number; token: string }> {
  const [name = ''] = await readdir(join(home, 'viewer'));
  return JSON.parse(await readFile(join(home, 'viewer', name), 'utf8')) as { port: number; token: string };
}

/** Calls the door as another program does, or as a page that knows the token. */
function callDoor(
  { port, token }: { port: number; token: string },
  call: object,
  headers: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = send(
      {
        host: '127.0.0.1',
        port,
        path: '/api/viewer/action',
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      },
      (reply) => {
        reply.resume();
        reply.on('end', () => resolve(reply.statusCode ?? 0));
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(call));
  });
}

const openFile = (page: Page) =>
  page.getByRole('navigation', { name: 'Open files' }).locator('[aria-current="page"]').first();

for (const [what, options] of [
  ['a game', { gameScript: 'void 0;' }],
  ['an engine that a game brings', { gameEngine: TALKING_ENGINE }],
] as const) {
  test.describe(`messages of ${what}`, () => {
    test.use(options);

    test('move nothing in the window, which the same action of a program with the token does', async ({ app }) => {
      const { page } = app;
      await findStage(page);
      const driving = page.getByText('The assistant is showing you something');
      await expect(openFile(page)).toContainText('start.txt');
      for (let at = 0; at < MESSAGES.length; at += BATCH) {
        if (at > 0) await reloadFrame(page);
        const sender = await findStage(page);
        expect(await sender.evaluate(toForgery(MESSAGES.slice(at, at + BATCH)))).toEqual([true, false]);
        // Slower than a flood.
        await page.waitForTimeout(3500);
      }
      await expect(driving).toBeHidden();
      await expect(openFile(page)).toContainText('start.txt');
      await expect(page.getByRole('button', { name: 'Start again' })).toBeHidden();
      await expect(page.getByRole('region', { name: 'Assistant', exact: true })).toBeVisible();
      expect(await page.evaluate(() => document.fullscreenElement)).toBeNull();
      expect(app.pageErrors).toEqual([]);

      const frame = await findStage(page);
      const door = await readDoor(app);
      const call = { actionId: 'navigate-to', params: { scene: 'bookshop.txt', line: 3 } };
      await test.step('the door is closed to pages, also to one that knows the token', async () => {
        const asked = frame.evaluate(
          ([url, token, body]) =>
            fetch(url as string, {
              method: 'POST',
              body: body as string,
              headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            }).then(
              () => 'answered',
              () => 'refused',
            ),
          [`http://127.0.0.1:${door.port}/api/viewer/action`, door.token, JSON.stringify(call)] as const,
        );
        expect(await asked).toBe('refused');
        expect(await callDoor(door, call, { origin: new URL(frame.url()).origin })).toBe(403);
        await expect(openFile(page)).toContainText('start.txt');
      });
      expect(await callDoor(door, call)).toBe(200);
      await expect(openFile(page)).toContainText('bookshop.txt');
    });

    test('are stopped after a few from one page, however slowly they come: each could be huge', async ({ app }) => {
      const { page } = app;
      const frame = await findStage(page);
      await frame.evaluate(`void setInterval(() => parent.postMessage(new ArrayBuffer(50_000_000), '*'), 1000)`);
      const stopped = page.getByText('This game kept sending messages');
      await expect(stopped).toBeVisible({ timeout: 60_000 });
      await expect(openFile(page)).toContainText('start.txt');
      await page.getByRole('button', { name: 'Start again' }).click();
      await findStage(page);
      await expect(stopped).toBeHidden();
    });

    test('are stopped when they come ten thousand a second from a frame inside of the stage', async ({ app }) => {
      const { page } = app;
      const frame = await findStage(page);
      await frame.evaluate(`(() => {
        const child = document.createElement('iframe');
        document.body.append(child);
        const messages = ${JSON.stringify(MESSAGES.slice(0, 5))};
        const flood = child.contentWindow.eval('(all) => { for (let count = 0; count < 100; count += 1) top.postMessage(all[count % all.length], "*"); }');
        setInterval(flood, 10, messages);
      })()`);
      await expect(page.getByRole('button', { name: 'Start again' })).toBeVisible({ timeout: 60_000 });
      await expect(page.getByText('This game kept sending messages')).toBeVisible();
      await expect(openFile(page)).toContainText('start.txt');
      const code = page.getByTestId('code');
      await code.getByText('小满').first().click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('; alive', { delay: 20 });
      await expect(code.getByText('; alive')).toBeVisible();
    });
  });
}

test.describe('messages of a game', () => {
  test.use({ gameScript: 'void 0;' });

  test('with ports, and one that cannot be read in the page, stop it at once', async ({ app }) => {
    const { page } = app;
    const frame = await findStage(page);
    const stopped = page.getByText('This game kept sending messages');
    // Not every browser tells the other end that a port was closed.
    await page.evaluate(() => {
      const { close } = MessagePort.prototype;
      MessagePort.prototype.close = function () {
        document.body.dataset.closedPort = 'yes';
        close.call(this);
      };
    });
    await frame.evaluate(`void top.postMessage('a port', '*', [new MessageChannel().port2])`);
    await expect(page.locator('body')).toHaveAttribute('data-closed-port', 'yes');
    await expect(stopped).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Start again' }).click();
    const again = await findStage(page);
    await expect(stopped).toBeHidden();
    // Code cannot be sent to another process: the page is told that something came, and receives its size all the same.
    await again.evaluate(`(() => {
      const code = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
      setTimeout(() => top.postMessage({ code, size: new Uint8Array(50_000_000) }, '*'));
    })()`);
    await expect(stopped).toBeVisible({ timeout: 60_000 });
  });
});
