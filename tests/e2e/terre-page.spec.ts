import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { WebSocket } from 'ws';
import { copyEngine } from '../../scripts/copy-engine.ts';
import { findPort, installTerre, killTerre, readRequests, startTerre } from '../support/terre/install-terre.ts';
import { test as base } from './fixtures.ts';
import { expect } from './user-actions.ts';

const port = await findPort();
const test = base.extend({ environment: { WEBGAL_PORT: String(port - 1) } });

// biome-ignore lint/suspicious/noSkippedTests: no other stand-in can be started there
test.skip(process.platform === 'win32', 'The stand-in is a script with a first line that only other systems read.');
test.setTimeout(300_000);

const textBox = (page: Page) => page.frameLocator('iframe').locator('#textBoxMain');

/** Sends a preview of Terre's to a line, as Terre's editor does; resolves to the scenes and lines that previews report. */
async function jumpAsTerre(scene: string, line: number): Promise<string[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/webgalsync`, ['webgal-editor-preview-sync.v1']);
  const reported: string[] = [];
  socket.on('message', (data) => {
    const { type, payload } = JSON.parse(String(data)) as { type: string; payload: Record<string, unknown> };
    if (type === 'stage.snapshot.updated') reported.push(`${payload.sceneName}:${payload.sentenceId}`);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const payload = { sceneName: scene, sentenceId: line };
  socket.send(JSON.stringify({ kind: 'request', type: 'preview.command.sync-scene', requestId: '1', payload }));
  return reported;
}

test('the stage plays Terre’s page while Terre runs, follows the app and Terre, and goes on after', async ({ app }) => {
  const { page, projectDir } = app;
  const folder = join(app.home, '..', 'Terre');
  await expect(textBox(page)).toContainText('六月', { timeout: 90_000 });
  await expect(page.getByText('Use WebGAL Terre’s page')).toHaveCount(0);
  await installTerre(folder, {
    games: { 'my game': join(projectDir, 'game') },
    engine: (await copyEngine()).directory,
  });
  await startTerre(folder, port);
  try {
    const before = await page.locator('iframe').getAttribute('src');
    await page.getByRole('button', { name: 'Use WebGAL Terre’s page' }).click({ timeout: 60_000 });
    await expect(page.getByText('Plays WebGAL Terre’s own page of this game, with Terre’s engine.')).toBeVisible();
    await expect.poll(() => page.locator('iframe').getAttribute('src')).not.toBe(before);
    await expect(textBox(page)).toContainText('六月', { timeout: 90_000 });
    const requests = await readRequests(folder);
    expect(requests).toContain('GET /games/my game/');
    expect(requests.filter((each) => /^GET \/games\/my game\/assets\/index.*\.js$/.test(each))).not.toEqual([]);
    expect(requests.filter((each) => !/^(GET|START|SOCKET)/.test(each))).toEqual([]);

    await test.step('a line of the app', async () => {
      // A page that draws without a graphics card may be too busy for the first order, and says so.
      await expect(async () => {
        if ((await textBox(page).textContent())?.includes('屋檐')) return;
        await page.getByRole('button', { name: 'Next line', exact: true }).click();
        await expect(textBox(page)).toContainText('屋檐', { timeout: 20_000 });
      }).toPass();
    });

    await test.step('a line of Terre’s, which hears that it is shown', async () => {
      let reported: string[] = [];
      // As with each move of the cursor in Terre: what the app was asked for before can take two seconds, and the last one wins.
      await expect(async () => {
        reported = await jumpAsTerre('start.txt', 13);
        await expect(textBox(page)).toContainText('还一', { timeout: 15_000 });
      }).toPass({ timeout: 90_000 });
      await expect.poll(() => reported, { timeout: 60_000 }).toContain('start.txt:13');
      expect(reported.filter((each) => each.includes('?'))).toEqual([]);
      await expect(page.locator('.script-playing-sign').first()).toBeVisible();
    });

    await test.step('it ends', async () => {
      await killTerre(folder);
      const line = page.getByRole('alert').filter({ hasText: 'WebGAL Terre has ended' });
      await expect(line).toContainText('so the app’s engine runs, 4.5.18', { timeout: 60_000 });
      await expect(textBox(page)).toContainText('还一', { timeout: 90_000 });
      await expect(page.getByText('Use WebGAL Terre’s page')).toHaveCount(0);
    });

    await test.step('it is back', async () => {
      await startTerre(folder, port);
      await expect(page.getByText('Plays WebGAL Terre’s own page of this game, with Terre’s engine.')).toBeVisible({
        timeout: 60_000,
      });
      await expect(textBox(page)).toContainText('还一', { timeout: 90_000 });
    });
  } finally {
    await killTerre(folder).catch(() => undefined);
  }
});
