import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toSceneName, writeBigGame } from '../../support/games/big-game.ts';
import { makeBenchFolders, openBenchPage, watchBusy } from './bench-page.ts';
import { type Row, toRow } from './row.ts';

const SENTENCE = '海边的风很大，灯塔一闪一闪，远处有人在唱歌。';

/**
 * Scenes that wrapping has to lay out: lines of any length, and many lines that are wider than the editor. Needs a font for
 * emoji (`fonts-noto-color-emoji`): without one the browser looks for each emoji in all fonts, which takes 100 ms.
 */
const SCENES: Readonly<Record<string, string>> = {
  'a line of 80,000 characters': `雪:${'🌸雨夜。'.repeat(16_000)};\n`,
  'a line of 1,000,000 characters': `雪:${SENTENCE.repeat(45_000)};\n`,
  '20,000 lines': Array.from({ length: 20_000 }, (_, line) => `雪:第 ${line} 句，${SENTENCE.repeat(3)};`).join('\n'),
};

/** Measures opening such a scene, and typing a word at its end. */
export async function benchLongScenes(): Promise<Row[]> {
  const folders = await makeBenchFolders();
  await writeBigGame(folders.projectDir, { scenes: 2 });
  const name = toSceneName(0);
  const file = join(folders.projectDir, 'game', 'scene', name);
  const rows: Row[] = [];
  try {
    for (const [what, text] of Object.entries(SCENES)) {
      await writeFile(file, text);
      const { page, close } = await openBenchPage(folders);
      try {
        const lines = page.locator('.view-line');
        await lines.first().waitFor();
        await page.keyboard.press('Control+3');
        await page.locator('.mantine-SegmentedControl-label').filter({ hasText: 'Scenes' }).click();
        const row = page.getByRole('list', { name: 'Scenes' }).getByRole('button', { name, exact: true });
        await row.waitFor();
        await page.waitForTimeout(3000);
        const take = await watchBusy(page);
        await page.waitForTimeout(1500);
        const idle = await take();
        await row.click();
        await lines.filter({ hasText: /^雪:/ }).first().waitFor({ timeout: 180_000 });
        await page.waitForTimeout(2000);
        rows.push(toRow({ name: `opening ${what}`, busy: await take(), idle, goal: 50 }));
        await lines.first().click();
        await page.keyboard.press('Control+End');
        await page.keyboard.type('word', { delay: 110 });
        await page.waitForTimeout(2000);
        rows.push(toRow({ name: `typing at the end of ${what}`, busy: await take(), idle, goal: 50 }));
      } finally {
        await close();
      }
    }
  } finally {
    await folders.remove();
  }
  return rows;
}
