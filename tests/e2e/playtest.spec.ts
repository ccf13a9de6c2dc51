import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeBrowserLauncher } from '../support/window/browser.ts';
import { test as base, expect } from './fixtures.ts';
import { saveDownload } from './save-download.ts';

const test = base.extend({
  // The web host plays in the browser of this computer, the window in itself.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  environment: async ({}, use, { project }) => {
    if (project.name !== 'web') return use({ WEBGAL_AGENT_BROWSER: '/nowhere/to/be/found' });
    const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-browser-'));
    await use({ WEBGAL_AGENT_BROWSER: await writeBrowserLauncher(folder) });
    await rm(folder, { recursive: true, force: true });
  },
});
// Software rendering is slow, especially on a busy machine.
test.setTimeout(180_000);
test.use({ opensProject: true, foldsStage: true });

const openPanel = (page: Page) => page.getByRole('button', { name: 'Playtest', exact: true }).click();
const playAll = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Play all routes' }).click();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play all routes' })).toBeVisible({ timeout: 120_000 });
};

test('plays all routes of the open game and opens what players would run into', async ({ app }) => {
  const { page, projectDir } = app;
  const start = join(projectDir, 'game/scene/start.txt');
  const text = (await readFile(start, 'utf8')).trimEnd();
  // After the change of scene, so that no route gets there.
  await writeFile(start, `changeBg:gone.webp -next;\n${text}\n小满:没有人读到这里。;\n`);
  const line = text.split('\n').length + 2;
  await openPanel(page);
  await expect(page.getByText('Nothing was played yet')).toBeVisible();
  await playAll(page);
  await expect(page.getByText('routes: 2.')).toBeVisible();

  await test.step('a finding opens its line, and the report can be saved', async () => {
    const list = page.getByRole('list', { name: 'Problems' });
    await list.getByRole('button', { name: /start\.txt:1 .*gone\.webp/ }).click();
    await expect(page.getByTestId('code')).toContainText('gone.webp');
    await openPanel(page);
    const saved = await saveDownload(app, async () => {
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'JUnit (XML)' }).click();
    });
    expect(saved.toString()).toMatch(/<failure message="[^"]*gone\.webp/);
  });
  await test.step('the ending has its choices, the scene the line that no route played', async () => {
    await page.getByText('Endings and scenes', { exact: true }).click();
    await expect(page.getByRole('list', { name: 'Endings and scenes' })).toContainText('陪她把后半本看完');
    await page.getByText(/^Lines \(\d+ %\)$/).click();
    await page.getByRole('button', { name: new RegExp(`start\\.txt.*Never played: ${line}`) }).click();
    await expect(page.getByTestId('code')).toContainText('没有人读到这里');
  });
  await test.step('the line is marked until its text changes, and the map names the scene', async () => {
    const marks = page.locator('.script-unplayed');
    await expect(marks).toHaveCount(1);
    await page.getByRole('button', { name: 'Story map', exact: true }).click();
    await expect(page.locator('[data-unplayed]')).toHaveCount(1);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByTestId('code').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.type('; x');
    await expect(marks).toHaveCount(0);
    await page.getByRole('button', { name: 'Story map', exact: true }).click();
    await expect(page.locator('[data-unplayed]')).toContainText('changed since the playtest');
  });
});

test('divides a text that does not fit its box, and takes it back as one step', async ({ app }) => {
  const { page, projectDir } = app;
  const start = join(projectDir, 'game/scene/start.txt');
  const sentence = '雨一直下，街灯一盏一盏地亮起来，谁也没有说话。';
  await writeFile(start, `小满:${sentence.repeat(12)} -v1.ogg;\n${await readFile(start, 'utf8')}`);
  await openPanel(page);
  await playAll(page);
  await page.getByRole('button', { name: 'Split the line' }).click();
  const code = page.getByTestId('code');
  await expect.poll(async () => (await code.innerText()).match(/小满:雨一直下/g)?.length).toBe(2);
  await page.keyboard.press('ControlOrMeta+Z');
  await expect.poll(async () => (await code.innerText()).match(/小满:雨一直下/g)?.length).toBe(1);
});
