import { expect, type Frame, type Page } from '@playwright/test';

const stageOf = (page: Page): Frame | undefined => page.frames().find((frame) => frame.url().includes('.localhost:'));

/** Resolves to the frame of the game on the stage of a window, once the engine has started. */
export async function findStage(page: Page): Promise<Frame> {
  const isLoaded = () =>
    stageOf(page)
      ?.evaluate(`document.getElementById('FullScreenClick') !== null`)
      .catch(() => false);
  await expect.poll(isLoaded, { timeout: 60_000 }).toBe(true);
  return stageOf(page) as Frame;
}
