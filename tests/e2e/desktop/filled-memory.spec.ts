import type { Frame, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

// Software rendering is slow.
test.setTimeout(120_000);

const stageOf = (page: Page): Frame | undefined =>
  page
    .context()
    .pages()
    .flatMap((each) => each.frames())
    .find((frame) => frame.url().includes('.localhost:'));

async function findStage(page: Page): Promise<Frame> {
  const isLoaded = () =>
    stageOf(page)
      ?.evaluate(`document.getElementById('FullScreenClick') !== null`)
      .catch(() => false);
  await expect.poll(isLoaded, { timeout: 60_000 }).toBe(true);
  return stageOf(page) as Frame;
}

/** What a script of a game fills: the memory of its own process, or of one that it shares with the app. */
const HOARDS = {
  'of its page, and never rests': `const kept = []; for (;;) kept.push(new Uint8Array(16e6).fill(7));`,
  'of the program that draws': `
    const kept = [];
    const gl = document.createElement('canvas').getContext('webgl2');
    const data = new Uint8Array(64e6).fill(9);
    setInterval(() => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.finish();
      kept.push(buffer);
    });`,
  'of the app': `
    const kept = [];
    const part = new Uint8Array(64e6).fill(7);
    setInterval(() => kept.push(new Blob([part])));`,
};

for (const [what, script] of Object.entries(HOARDS)) {
  test(`stops a game that fills the memory ${what}, and starts it again`, async ({ app }) => {
    const { page } = app;
    const frame = await findStage(page);
    await frame.evaluate(`void setTimeout(() => { ${script} }, 100)`);
    await expect(page.getByText('This game needed too much memory')).toBeVisible({ timeout: 40_000 });
    const measure = () =>
      app.desktop.evaluate((electron) =>
        electron.app.getAppMetrics().reduce((sum, { memory }) => sum + memory.workingSetSize / 1024, 0),
      );
    await expect.poll(measure, 'megabytes of all processes').toBeLessThan(1_800);
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; alive', { delay: 20 });
    await expect(code.getByText('; alive')).toBeVisible();
    await page.getByRole('button', { name: 'Start again' }).click();
    await findStage(page);
    expect(app.pageErrors).toEqual([]);
  });
}
