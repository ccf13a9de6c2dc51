import { SESSION_KEY } from '../../../shared/wire.ts';
import { writeBigGame } from '../../support/games/big-game.ts';
import { createFakeModelServer } from '../../support/services/fake-model-server.ts';
import { makeBenchFolders, openBenchPage, waitForScenes, watchBusy } from './bench-page.ts';
import { type Row, toRow } from './row.ts';

/** Measures the longest blocked time while the assistant drafts `files` files of 60 lines one after the other. */
export async function benchDrafting({ files, scenes }: { files: number; scenes: number }): Promise<Row[]> {
  const folders = await makeBenchFolders();
  await writeBigGame(folders.projectDir, { scenes });
  const content = `${'雪乃:今天的海很安静，你听，潮声一遍遍地漫上来。;\n'.repeat(60)}end;\n`;
  const model = await createFakeModelServer((_request, index) =>
    index >= Math.ceil(files / 10)
      ? { text: 'All drafted.' }
      : {
          calls: Array.from({ length: Math.min(10, files - index * 10) }, (_, at) => ({
            name: 'write_to_file',
            args: { path: `game/scene/new_${index * 10 + at}.txt`, content, mode: 'overwrite', dryRun: false },
          })),
        },
  );
  const app = await openBenchPage(folders);
  try {
    const { page, call } = app;
    await waitForScenes(page, scenes);
    await call('settings.choose', { provider: 'custom', choice: { baseUrl: model.url, model: 'fake' } });
    await call('settings.update', { provider: 'custom' });
    await page.waitForTimeout(4000);
    const take = await watchBusy(page);
    await page.waitForTimeout(1500);
    const idle = await take();
    const received = await countReceived(app);
    const startedAt = Date.now();
    await call('chat.send', { text: 'Draft them', mode: 'act' });
    await page
      .getByRole('button', { name: /^Accept/ })
      .first()
      .waitFor({ timeout: 120_000 });
    await page.waitForTimeout(1000);
    const took = Date.now() - startedAt - 1000;
    const busy = await take();
    const bytes = await received();
    const texts = Buffer.byteLength(content) * files;
    const isSmall = bytes < 3 * texts + 200_000;
    return [
      toRow({ name: `drafting ${files} files in a game of ${scenes} scenes (${took} ms)`, busy, idle, goal: 50 }),
      {
        name: 'news of drafts',
        isMet: isSmall,
        line: `news for ${files} drafts: ${(bytes / texts).toFixed(2)} × their texts (${(bytes / 1000).toFixed(0)} kB); goal 3: ${isSmall ? 'met' : 'missed'}`,
      },
    ];
  } finally {
    await app.close();
    await model.close();
    await folders.remove();
  }
}

/** Subscribes like another page and counts the bytes of all events. */
async function countReceived({ page, url }: { page: Parameters<typeof watchBusy>[0]; url: string }) {
  const session = await page.evaluate<string>(`localStorage.getItem('${SESSION_KEY}')`);
  const ends = new AbortController();
  const response = await fetch(new URL('/events', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, origin: new URL(url).origin },
    signal: ends.signal,
  });
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  })().catch(() => undefined);
  return async () => {
    ends.abort();
    await reading;
    return bytes;
  };
}
