import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

const SCENE = 'game/scene/start.txt';
const openScene = (page: Page) =>
  page.getByRole('navigation', { name: 'Open files' }).getByRole('button', { name: 'start.txt', exact: true });

test.describe('the web host', () => {
  test('shows the game under its content security policy, after a reload and in a second tab too', async ({ app }) => {
    await expect(openScene(app.page)).toBeVisible();
    expect(new URL(app.page.url()).hash).toBe('');
    await app.page.reload();
    await expect(openScene(app.page)).toBeVisible();
    const second = await app.page.context().newPage();
    await second.goto(app.page.url());
    await expect(openScene(second)).toBeVisible();
    await second.close();
    expect(app.pageErrors).toEqual([]);
  });

  test('shows only a message to a page without the session', async ({ app }) => {
    await expect(openScene(app.page)).toBeVisible();
    const stranger = await app.page.context().browser()?.newContext();
    const page = await stranger?.newPage();
    await page?.goto(app.url);
    await expect(page?.getByText('not connected to the app') as Locator).toBeVisible();
    const answer = await app.page.request.post(new URL('/call/app.info', app.url).href, {
      data: {},
      headers: { origin: new URL(app.url).origin },
    });
    expect(answer.status()).toBe(401);
    await stranger?.close();
  });

  test('isolates the stage, which runs the game’s scripts, from the app', async ({ app }) => {
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

  test('reopens the same game after it was stopped and after a power cut', async ({ app }) => {
    await expect(openScene(app.page)).toBeVisible();
    await app.restart();
    await expect(openScene(app.page)).toBeVisible();
    await app.kill();
    await app.restart();
    await expect(openScene(app.page)).toBeVisible();
    expect(await readFile(join(app.projectDir, SCENE), 'utf8')).not.toBe('');
  });

  test('says that the app does not answer as long as it does not', async ({ app }) => {
    await expect(app.page.getByText('Stage connected')).toBeVisible();
    await app.kill();
    const notice = app.page.getByText('The app stopped answering.');
    await expect(notice).toBeVisible();
    await expect(app.page.getByText('Stage not responding')).toBeVisible();
    // Longer than any other warning.
    await app.page.waitForTimeout(11_000);
    await expect(notice).toBeVisible();
  });

  test('opens the link of a later start on its port in the same tab, and keeps what another tab still has', async ({
    app,
  }) => {
    // Only then is the session stored that the other tab uses.
    await expect(openScene(app.page)).toBeVisible();
    const other = await app.page.context().newPage();
    await other.goto(app.page.url());
    const code = other.getByTestId('code');
    await expect(code.getByText('小满').first()).toBeVisible();
    await app.kill();
    const pages = [app.page, other];
    for (const page of pages) await expect(page.getByText('The app stopped answering.')).toBeVisible();
    await code.getByText('小满').first().click();
    await other.keyboard.press('Control+End');
    await other.keyboard.type('; typed since');

    await app.restart(['--project', app.projectDir, '--port', new URL(app.url).port]);
    await expect(app.page.getByText('Stage connected')).toBeVisible();
    await expect(app.page.getByText('The app stopped answering.')).toBeHidden();
    expect(new URL(app.page.url()).hash).toBe('');
    await expect(other.getByText('The app stopped answering.')).toBeVisible();
    await expect(code.getByText('; typed since')).toBeVisible();
    await other.close();
  });

  test('keeps the launch link of a page that is reloaded before it has its session', async ({ app }) => {
    await expect(openScene(app.page)).toBeVisible();
    let exchanges = 0;
    await app.page.context().route('**/launch', async (route) => {
      exchanges += 1;
      const response = await route.fetch();
      if (exchanges > 1) return route.fulfill({ response });
      // The first answer does not arrive.
      void route.request().frame().page().reload();
    });
    await app.restart();
    await expect(openScene(app.page)).toBeVisible();
    expect(exchanges).toBe(2);
  });
});
