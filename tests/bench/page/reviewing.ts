import { writeBigGame } from '../../support/games/big-game.ts';
import { makeBenchFolders, openBenchPage, waitForScenes, watchBusy } from './bench-page.ts';
import { type Row, toRow } from './row.ts';

/** Measures replacing a name in all scenes of a game: the search, the review of its changes, and accepting them. */
export async function benchReviewing(scenes: number): Promise<Row[]> {
  const folders = await makeBenchFolders();
  await writeBigGame(folders.projectDir, { scenes });
  const app = await openBenchPage(folders);
  try {
    const { page } = app;
    await waitForScenes(page, scenes);
    await page.waitForTimeout(4000);
    const take = await watchBusy(page);
    await page.waitForTimeout(1500);
    const idle = await take();
    await page.keyboard.press('Control+Shift+H');
    const fields = page.locator('[role="dialog"] input:not([type="checkbox"])');
    await fields.first().fill('雪乃');
    await fields.nth(1).fill('雪子');
    const button = page.locator('[role="dialog"] button', { hasText: 'Review the changes' });
    await page.waitForTimeout(2000);
    const finding = await take();
    // A query by role computes the name of each element of the page, which blocks it.
    const accept = page.locator('button', { hasText: 'Accept all' });
    const askedAt = Date.now();
    await button.click();
    await accept.first().waitFor({ timeout: 120_000 });
    const shown = Date.now() - askedAt;
    await page.waitForTimeout(3000);
    const reviewing = await take();
    const acceptedAt = Date.now();
    await accept.first().click();
    await accept.first().waitFor({ state: 'detached', timeout: 180_000 });
    const accepted = Date.now() - acceptedAt;
    await page.waitForTimeout(4000);
    const accepting = await take();
    return [
      toRow({ name: `finding a name in ${scenes} scenes to replace it`, busy: finding, idle, goal: 50 }),
      toRow({ name: `the review of ${scenes} changed scenes (${shown} ms)`, busy: reviewing, idle, goal: 50 }),
      toRow({ name: `accepting ${scenes} changed scenes (${accepted} ms)`, busy: accepting, idle, goal: 50 }),
    ];
  } finally {
    await app.close();
    await folders.remove();
  }
}
