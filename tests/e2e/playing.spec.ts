import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(150_000);
test.use({ opensProject: true });

const textBox = (page: Page) => page.frameLocator('iframe').locator('#textBoxMain');
const choose = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'More for the stage' }).click();
  await page.getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name })).click();
};
/** The number of the line that is marked as the one on the stage. */
const playingLine = async (page: Page): Promise<string | null> => {
  const top = await page.locator('.script-playing-sign').first().boundingBox();
  for (const number of await page.locator('[data-testid="code"] .line-numbers').all()) {
    const box = await number.boundingBox();
    if (box && top && Math.abs(box.y - top.y) < 3) return number.textContent();
  }
  return null;
};

test('plays from the start, this scene and the next choice, and marks the line in the text', async ({ app }) => {
  const { page } = app;
  await expect(textBox(page)).toContainText('六月');
  const first = await test.step('the line on the stage is marked', async () => {
    await expect(page.locator('.script-playing-sign').first()).toBeVisible();
    return Number(await playingLine(page));
  });
  expect(first).toBeGreaterThan(0);
  await test.step('on to the next choice', async () => {
    await choose(page, 'On to the next choice');
    await expect(page.frameLocator('iframe').locator('#chooseContainer > *').first()).toBeVisible();
    // It is in another scene than the open one.
    await expect(page.locator('.script-playing-sign')).toHaveCount(0);
  });
  await test.step('from the start', async () => {
    await choose(page, 'From the start of the game');
    await expect.poll(async () => Number(await playingLine(page))).toBe(first);
  });
});

test('draws the game in the shape of other screens, and over the whole window until Esc', async ({ app }) => {
  const { page } = app;
  const frame = page.locator('iframe');
  const ratio = async () => {
    const box = await frame.boundingBox();
    return box ? box.width / box.height : 0;
  };
  await expect(textBox(page)).toContainText('六月');
  expect(await ratio()).toBeCloseTo(16 / 9, 1);
  for (const [name, expected] of [
    ['4:3', 4 / 3],
    ['9:16', 9 / 16],
    ['Phone', 390 / 664],
    ['16:9', 16 / 9],
  ] as const) {
    await choose(page, name);
    await expect.poll(ratio).toBeCloseTo(expected, 1);
  }
  await choose(page, 'Fill the window');
  await expect.poll(async () => (await frame.boundingBox())?.width ?? 0).toBeGreaterThan(1100);
  // The engine was not loaded again.
  await expect(textBox(page)).toContainText('六月');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await frame.boundingBox())?.width ?? 0).toBeLessThan(700);
});

test('draws nothing and is silent while the stage is folded, and goes on after', async ({ app }) => {
  const { page } = app;
  await expect(textBox(page)).toContainText('六月');
  const engine = page.frames().find((frame) => frame.url().includes('lang='));
  if (!engine) throw new Error('The engine has no frame.');
  await engine.evaluate(async () => {
    const counted = window as unknown as { drawn: number; music: HTMLAudioElement; ticks: number };
    counted.drawn = 0;
    counted.ticks = 0;
    const draw = () => {
      counted.drawn += 1;
      requestAnimationFrame(draw);
    };
    draw();
    setInterval(() => {
      counted.ticks += 1;
    }, 20);
    counted.music = new Audio('game/bgm/before-the-rain-stops.wav');
    counted.music.loop = true;
    await counted.music.play().catch(() => undefined);
  });
  /** Frames, ticks of an interval, and whether music plays, in a second and a half. */
  const watch = () =>
    engine.evaluate(async () => {
      const counted = window as unknown as { drawn: number; music: HTMLAudioElement; ticks: number };
      const before = [counted.drawn, counted.ticks] as const;
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return [counted.drawn > before[0], counted.ticks > before[1], !counted.music.paused];
    });
  await expect.poll(watch).toEqual([true, true, true]);
  await page.getByRole('button', { name: 'Hide the stage' }).click();
  await expect.poll(watch).toEqual([false, false, false]);
  await page.getByRole('button', { name: 'Show the stage' }).click();
  await expect.poll(watch).toEqual([true, true, true]);
  await expect(textBox(page)).toContainText('六月');
});
