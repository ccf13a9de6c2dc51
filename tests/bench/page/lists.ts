import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createJournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';
import { createSnapshotStore } from '../../../main/node/snapshots/snapshot-store.ts';
import { toSceneName, writeBigGame } from '../../support/games/big-game.ts';
import { makeBenchFolders, openBenchPage, waitForScenes, watchBusy } from './bench-page.ts';
import { type Row, toRow } from './row.ts';

/** Measures showing the list of a game's scenes, and each key in its filter. */
export async function benchTree(scenes: number): Promise<Row[]> {
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
    await page.keyboard.press('Control+3');
    await page.locator('.mantine-SegmentedControl-label').filter({ hasText: 'Scenes' }).click();
    const list = page.getByRole('list', { name: 'Scenes' }).first();
    await list.waitFor();
    await page.waitForTimeout(1000);
    const opening = await take();
    const nodes = await page.evaluate<number>(`document.querySelectorAll('*').length`);
    const filter = page.getByRole('region', { name: /^Work/ }).getByRole('textbox').first();
    await filter.pressSequentially(toSceneName(scenes - 2), { delay: 120 });
    await page.waitForTimeout(500);
    const filtering = await take();
    return [
      toRow({ name: `showing ${scenes} scenes`, busy: opening, idle, goal: 50, note: `${nodes} nodes in the page` }),
      toRow({ name: `filtering ${scenes} scenes, key by key`, busy: filtering, idle, goal: 50 }),
    ];
  } finally {
    await app.close();
    await folders.remove();
  }
}

/** Measures showing a history of `changes` changes, and scrolling through it. */
export async function benchHistory(changes: number): Promise<Row[]> {
  const folders = await makeBenchFolders();
  await writeBigGame(folders.projectDir, { scenes: 10 });
  await writeHistory(folders, changes);
  const app = await openBenchPage(folders);
  try {
    const { page } = app;
    await waitForScenes(page, 10);
    await page.waitForTimeout(4000);
    const take = await watchBusy(page);
    await page.waitForTimeout(1500);
    const idle = await take();
    await page.keyboard.press('Control+4');
    const list = page.getByRole('list', { name: 'Changes, newest first' });
    await list.waitFor({ timeout: 60_000 });
    await page.waitForTimeout(1500);
    const opening = await take();
    const nodes = await page.evaluate<number>(`document.querySelectorAll('*').length`);
    const count = await list.locator('li').first().getAttribute('aria-setsize');
    await list.evaluate(`(list) => (async () => {
      const box = [...document.querySelectorAll('*')].find((each) => each.contains(list) && each.scrollHeight > each.clientHeight + 50 && getComputedStyle(each).overflowY !== 'visible');
      for (let step = 0; step < 40; step += 1) {
        box.scrollTop += box.scrollHeight / 40;
        await new Promise((done) => setTimeout(done, 40));
      }
    })()`);
    const reading = await take();
    return [
      toRow({
        name: `showing a history of ${changes}`,
        busy: opening,
        idle,
        goal: 50,
        note: `${count} rows, ${nodes} nodes in the page`,
      }),
      toRow({ name: `going through a history of ${changes}`, busy: reading, idle, goal: 50 }),
    ];
  } finally {
    await app.close();
    await folders.remove();
  }
}

/** Writes snapshots that are signed by the app, each a separate change. */
async function writeHistory(
  { projectDir, home }: { projectDir: string; home: string },
  changes: number,
): Promise<void> {
  await mkdir(join(projectDir, '.webgal_agent'), { recursive: true });
  await writeFile(join(projectDir, '.webgal_agent', '.gitignore'), '*\n');
  const store = createSnapshotStore(createAgentFolder(projectDir), {
    signature: createJournalSignature(home),
    retention: changes,
  });
  for (let index = 0; index < changes; index += 1) {
    const stamp = await store.stamp();
    const label = { origin: 'agent', group: `group-${index}`, title: `Change ${index} of the scene` } as const;
    const kept = { stamp, path: 'game/scene/start.txt', text: `:${index};\n`, after: '', bytes: 8, label };
    await store.keep([kept]);
    await store.confirm([kept]);
  }
}
