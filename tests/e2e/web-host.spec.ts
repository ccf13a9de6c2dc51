import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const SCENE = 'game/scene/start.txt';
const openScene = (page: Page) =>
  page.getByRole('navigation', { name: 'Open files' }).getByRole('button', { name: 'start.txt', exact: true });

test.describe('the web host', () => {
  test('shows the game under its content security policy, after a reload and in a second tab too', async ({ app }) => {
    await expect(openScene(app.page)).toBeVisible();
    expect(new URL(app.page.url()).search).toBe('');
    await app.page.reload();
    await expect(openScene(app.page)).toBeVisible();
    const second = await app.page.context().newPage();
    await second.goto(app.page.url());
    await expect(openScene(second)).toBeVisible();
    await second.close();
    expect(app.pageErrors).toEqual([]);
  });

  test('tells a stranger in two languages where to start, and gives it nothing', async ({ app }) => {
    await app.page.context().clearCookies();
    await app.page.goto(app.url);
    await expect(app.page.locator('body')).toContainText('Start the app again');
    await expect(app.page.locator('body')).toContainText('重新启动应用');
    const answer = await app.page.request.post(new URL('/call/app.info', app.url).href, { data: {} });
    expect(answer.status()).toBe(401);
  });

  test('keeps the stage, which runs the game’s scripts, away from the app', async ({ app }) => {
    const frame = await app.page.waitForSelector('iframe');
    const stage = await frame.contentFrame();
    await stage?.waitForLoadState();
    const origin = new URL(app.page.url()).origin;
    const outcomes = await stage?.evaluate(async (target) => {
      const attempt = async (init: RequestInit): Promise<string> => {
        try {
          const response = await fetch(`${target}/call/app.info`, { method: 'POST', credentials: 'include', ...init });
          return response.type === 'opaque' ? 'nothing to read' : String(response.status);
        } catch {
          return 'refused';
        }
      };
      return [
        await attempt({ headers: { 'content-type': 'application/json' }, body: '{}' }),
        await attempt({ mode: 'no-cors', body: '{}' }),
      ];
    }, origin);
    expect(outcomes?.every((outcome) => outcome === 'refused' || outcome === 'nothing to read')).toBe(true);
  });

  test('comes back with the same game after it was stopped, and after a power cut', async ({ app }) => {
    await expect(openScene(app.page)).toBeVisible();
    await app.restart();
    await expect(openScene(app.page)).toBeVisible();
    await app.kill();
    await app.restart();
    await expect(openScene(app.page)).toBeVisible();
    expect(await readFile(join(app.projectDir, SCENE), 'utf8')).not.toBe('');
  });
});
