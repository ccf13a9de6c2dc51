import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from '@playwright/test';
import { handToDesktopUser } from '../../support/window/desktop.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';

// Software rendering is slow.
test.setTimeout(120_000);

async function findStage(page: Page): Promise<Frame> {
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  if (!frame) throw new Error('There is no stage.');
  return frame;
}

/** Evaluates in the stage like a script of the game. Playwright's own method counts as a user activation. */
const evaluateInStage = ({ desktop }: RunningApp, code: string): Promise<unknown> =>
  desktop.evaluate(({ BrowserWindow }, text) => {
    const frames = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame.framesInSubtree ?? [];
    return frames.find((frame) => frame.url.includes('.localhost:'))?.executeJavaScript(text);
  }, code);

test('plays music and sounds of a game without a click', async ({ app }) => {
  const music = "document.querySelector('#currentBgm')";
  const played = () => evaluateInStage(app, `${music}?.src.includes('before-the-rain') ? ${music}.currentTime : 0`);
  await expect.poll(played, { timeout: 60_000 }).toBeGreaterThan(0);
  const sound = await evaluateInStage(
    app,
    `new Promise((resolve) => {
      const context = new AudioContext();
      const report = () => resolve({ state: context.state, wasClicked: navigator.userActivation.hasBeenActive });
      if (context.state === 'running') report();
      context.addEventListener('statechange', report);
      setTimeout(report, 5_000);
    })`,
  );
  expect(sound).toEqual({ state: 'running', wasClicked: false });
});

/** Captures the colours of the stage's corners above the text from the window, each as [red, green, blue]. */
async function captureCorners(app: RunningApp): Promise<number[][]> {
  const box = await app.page.locator('iframe').boundingBox();
  if (!box) throw new Error('The stage is not visible.');
  return app.desktop.evaluate(async ({ BrowserWindow }, { x, y, width, height }) => {
    const picture = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage({
      x: Math.round(x),
      y: Math.round(y),
      width: Math.round(width),
      height: Math.round(height),
    });
    const small = picture?.resize({ width: 16, height: 9, quality: 'best' });
    const bytes = small?.toBitmap() ?? Buffer.alloc(0);
    return [0, 1, 14, 15].map((column) => {
      const at = (1 * 16 + column) * 4;
      return [bytes[at + 2] ?? 0, bytes[at + 1] ?? 0, bytes[at] ?? 0];
    });
  }, box);
}

/** Returns the same corners of a background image, drawn by the browser. */
const drawCorners = (stage: Frame, name: string): Promise<number[][]> =>
  stage.evaluate(`(async () => {
    const bitmap = await createImageBitmap(await (await fetch('game/background/${name}')).blob());
    const context = new OffscreenCanvas(16, 9).getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, 16, 9);
    return [0, 1, 14, 15].map((column) => [...context.getImageData(column, 1, 1, 1).data.slice(0, 3)]);
  })()`);

const distance = (some: number[][], others: number[][]): number =>
  Math.max(...some.flatMap((colour, at) => colour.map((part, of) => Math.abs(part - (others[at]?.[of] ?? 0)))));

test('shows the stage in a capture of the window', async ({ app }) => {
  const stage = await findStage(app.page);
  await writeFile(join(app.projectDir, 'game/scene/start.txt'), 'changeBg:street.webp -next;\n:One.;\n');
  await expect(stage.locator('#textBoxMain')).toContainText('One', { timeout: 60_000 });
  const street = await drawCorners(stage, 'street.webp');
  await expect.poll(async () => distance(await captureCorners(app), street), { timeout: 30_000 }).toBeLessThan(24);
  const bookshop = await drawCorners(stage, 'bookshop.webp');
  expect(distance(street, bookshop)).toBeGreaterThan(40);
});

test.describe('a large game', () => {
  test.use({ opensProject: false, foldsStage: true });

  test('with 500 scenes opens, and its last scene is found and shown', async ({ app }) => {
    const scenes = join(app.projectDir, 'game', 'scene');
    for (const name of await readdir(scenes)) await rm(join(scenes, name));
    const names = ['start', ...Array.from({ length: 499 }, (_, at) => `day-${String(at + 1).padStart(3, '0')}`)];
    await Promise.all(
      names.map((name, at) => {
        const lines = Array.from({ length: 120 }, (_, line) => `小满:第${at}天，第${line}句，海风一直在吹。;\n`);
        const next = names[at + 1];
        return writeFile(
          join(scenes, `${name}.txt`),
          `${lines.join('')}${next ? `changeScene:${next}.txt` : 'end'};\n`,
        );
      }),
    );
    handToDesktopUser(app.projectDir);
    await app.restart(['--project', app.projectDir]);
    const { page } = app;
    await expect(page.getByText(/^500 scenes/)).toBeVisible({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Show the stage' }).click();
    await page.getByRole('textbox', { name: 'Find by name' }).fill('day-499');
    await page.getByRole('button', { name: /^day-499\.txt/ }).click();
    await expect(page.getByTestId('code').getByText('第499天，第0句')).toBeVisible();
    expect(app.pageErrors).toEqual([]);
  });
});
