import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from '@playwright/test';
import { LOOT, type OtherProgram, startOtherProgram } from '../support/attacks/hostile-game.ts';
import { POWERS, TRAFFIC, toAttackScript, WORKERS } from '../support/attacks/stage-attacks.ts';
import { expect, test } from './user-actions.ts';

let other: OtherProgram;
test.beforeEach(async () => {
  other = await startOtherProgram();
});
test.afterEach(() => other?.close());

const stageOf = (page: Page): Frame | undefined => page.frames().find((frame) => frame.url().includes('.localhost:'));

/** Whether the app's engine runs; evaluating fails while the frame is replaced. */
const isPlaying = (page: Page) =>
  stageOf(page)
    ?.evaluate(`document.getElementById('FullScreenClick') !== null`)
    .catch(() => false);

/** Connects like an engine, and sends to both sockets what only the app's own scripts would send. */
const FORGERY = `
  const forge = (path, messages) => {
    const socket = new WebSocket('ws://' + location.host + path);
    socket.onopen = () => setInterval(() => { for (const message of messages) socket.send(typeof message === 'string' ? message : JSON.stringify(message)); }, 300);
    socket.onmessage = ({ data }) => loot.got[String(data).slice(0, 200)] = true;
  };
  const state = { frame: '{"data":{}}', file: '../../../etc/passwd', choices: [], hasInput: false, isOnTitle: false, hasTextBox: true };
  forge('/__stage/bridge', [
    { kind: 'answer', id: 1, state }, { kind: 'answer', id: 2, reason: 'failed', state },
    { kind: 'viewer', action: 'navigate-to', params: { scene: 'start.txt' } }, { kind: 'seen', isVisible: 'yes' },
    { kind: 'trouble', level: 'error', text: '<img src=x onerror=alert(1)> \\u202e hidden' }, 'reload', '[', '{"__proto__":{"x":1}}',
  ]);
  forge('/api/webgalsync', [
    { event: 'message', data: { command: 1, sceneMsg: { scene: '../../secret', sentence: 1e9 }, stageSyncMsg: { showText: '<b>x</b>', GameVar: { __proto__: 1, constructor: 'x' } } } },
    { kind: 'request', type: 'preview.command.sync-scene', requestId: 'x', payload: { sceneName: 'start.txt', sentenceId: 1 } },
    { event: 'message', data: { command: 3, message: 'setVar:x=1' } },
  ]);
  for (const target of [parent, top]) target.postMessage({ stage: 'viewer', action: 'navigate-to', request: '1' }, '*');`;

test.describe('a hostile engine that a game brings', () => {
  test.use({ gameEngine: `${FORGERY}\n${toAttackScript([...TRAFFIC, ...WORKERS, ...POWERS])}` });
  test.setTimeout(240_000);

  test('reaches neither app, disk nor network, and its engine can be left', async ({ app }) => {
    const { page, projectDir } = app;
    await writeFile(join(projectDir, 'private.txt'), 'private');
    const kind = () =>
      stageOf(page)
        ?.evaluate(`typeof globalThis.${LOOT}`)
        .catch(() => '');
    await expect.poll(kind, { timeout: 60_000 }).toBe('object');
    await expect(page.getByText('Runs the engine that came with this game, 4.6.0.')).toBeVisible();
    const frame = stageOf(page) as Frame;
    const { protocol, host } = new URL(page.url());
    const origin = `${protocol}//${host}`;

    for (const path of ['private.txt', '.webgal_agent/policy.json', 'assets/../private.txt', '../private.txt'])
      expect([path, await frame.evaluate(`fetch(${JSON.stringify(`/${path}`)}).then(({ status }) => status)`)]).toEqual(
        [path, 404],
      );
    const outcomes: Record<string, string> = {};
    const rows = [...TRAFFIC, ...WORKERS, ...POWERS];
    for (let at = 0; at < rows.length; at += 25) {
      const names = rows.slice(at, at + 25).map(({ name }) => name);
      const call = `Promise.all(${JSON.stringify(names)}.map((name) => __attempt(name, ${JSON.stringify(other.origin)}, ${JSON.stringify(origin)})))`;
      const answers = (await frame.evaluate(call)) as string[];
      for (const [index, name] of names.entries()) outcomes[name] = answers[index] ?? '';
    }
    const traffic = new Set(TRAFFIC.map(({ name }) => name));
    expect(
      Object.entries(outcomes).filter(([name, got]) => !traffic.has(name) && !/^(refused|asked$)/.test(got)),
    ).toEqual([]);
    await page.waitForTimeout(1000);
    expect(other.requests.map(({ url }) => url)).toEqual([]);
    expect([other.connections(), other.packets()]).toEqual([0, 0]);
    expect(page.url().startsWith(origin)).toBe(true);

    // Nothing that it receives concerns more than the stage, and what it sends is text.
    const got = (await frame.evaluate(`Object.keys(globalThis.${LOOT}.got).join('\\n')`)) as string;
    expect(got).not.toMatch(/private|token|policy/);
    await expect(page.getByRole('region', { name: 'Problems on stage' })).toContainText('<img src=x onerror=alert(1)>');

    await page.getByRole('button', { name: /Use the app’s, 4\.5\.18/ }).click();
    await expect(page.getByText('Runs the app’s engine, 4.5.18.')).toBeVisible();
    await expect.poll(() => isPlaying(page), { timeout: 30_000 }).toBe(true);
  });
});

test.describe('a broken engine that a game brings', () => {
  test.use({ gameEngine: `throw new Error('broken');` });
  test.setTimeout(120_000);

  test('is replaced by the app’s, which says so', async ({ app }) => {
    const { page } = app;
    await expect(page.getByRole('alert').filter({ hasText: 'did not start, so the app’s runs, 4.5.18' })).toBeVisible({
      timeout: 60_000,
    });
    await expect.poll(() => isPlaying(page), { timeout: 30_000 }).toBe(true);
  });
});
