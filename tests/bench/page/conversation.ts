import { CONVERSATION_ID, writeConversation } from '../../support/games/big-conversation.ts';
import { writeBigGame } from '../../support/games/big-game.ts';
import { type BenchPage, makeBenchFolders, openBenchPage, watchBusy } from './bench-page.ts';
import { type Row, toRow } from './row.ts';

const SHORT = 50;

/**
 * Measures opening a conversation of `rows` rows, against one of fifty, and the longest blocked time of the page: in the open app, and
 * with the start of the page, whose own blocks are those of the short conversation.
 */
export async function benchConversation(rows: number): Promise<Row[]> {
  const [long, short] = [await openWith(rows), await openWith(SHORT)];
  const ratio = long.shown / short.shown;
  const isMet = ratio <= 1.5;
  const starting = long.starting.longest / Math.max(50, short.starting.longest);
  return [
    toRow({ name: `opening a conversation of ${rows} rows, until all can be read`, ...long, goal: 50 }),
    {
      name: 'start of the page with a conversation',
      isMet: starting <= 1.5,
      line: `start of the page with a conversation of ${rows} rows: busy for ${long.starting.longest.toFixed(0)} ms at most, ${starting.toFixed(2)} × as with ${SHORT} rows (${short.starting.longest.toFixed(0)} ms); goal 1.5: ${starting <= 1.5 ? 'met' : 'missed'}`,
    },
    toRow({
      name: `reading a conversation of ${rows} rows from its end to its start`,
      ...long,
      busy: long.reading,
      goal: 50,
    }),
    {
      name: 'conversation shown',
      isMet,
      line: `a conversation of ${rows} rows is shown in ${ratio.toFixed(2)} × the time of one of ${SHORT} rows (${long.shown.toFixed(0)} against ${short.shown.toFixed(0)} ms); goal 1.5: ${isMet ? 'met' : 'missed'}; ${long.nodes} nodes in the page`,
    },
  ];
}

async function openWith(rows: number) {
  const folders = await makeBenchFolders();
  await writeBigGame(folders.projectDir);
  await writeConversation({ ...folders, rows });
  const app = await openBenchPage(folders);
  try {
    return await measure(app);
  } finally {
    await app.close();
    await folders.remove();
  }
}

async function measure({ page, call }: BenchPage) {
  const log = page.getByRole('region', { name: 'Conversation with the assistant' });
  const rows = log.locator('[data-row]');
  await rows.last().waitFor({ timeout: 120_000 });
  await page.waitForTimeout(4000);
  const take = await watchBusy(page);
  await page.waitForTimeout(1500);
  const idle = await take();
  // Reloads the page with the app's files in memory: reading the log is measured elsewhere.
  await page.reload();
  await rows.first().waitFor({ timeout: 120_000 });
  const shown = await page.evaluate(() => performance.now());
  await page.waitForTimeout(1500);
  const whole = () => log.locator('[aria-setsize="-1"]').first().waitFor({ state: 'detached', timeout: 120_000 });
  await whole();
  const starting = await take();
  await call('chat.create', {});
  await rows.first().waitFor({ state: 'detached' });
  await page.waitForTimeout(1500);
  await take();
  await call('chat.open', { session: CONVERSATION_ID });
  await rows.first().waitFor();
  await page.waitForTimeout(1500);
  await whole();
  const busy = await take();
  const nodes = await page.evaluate<number>(`document.querySelectorAll('*').length`);
  await log.evaluate(async (element) => {
    for (let top = element.scrollHeight; top > 0; top -= element.scrollHeight / 60) {
      element.scrollTop = top;
      await new Promise((done) => setTimeout(done, 40));
    }
    element.scrollTop = 0;
    await new Promise((done) => setTimeout(done, 500));
  });
  const reading = await take();
  return { busy, idle, shown, nodes, reading, starting };
}
