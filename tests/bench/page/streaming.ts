import { toSceneName, writeBigGame } from '../../support/games/big-game.ts';
import { createFakeModelServer } from '../../support/services/fake-model-server.ts';
import { makeBenchFolders, openBenchPage, waitForScenes, watchBusy } from './bench-page.ts';
import { type Row, toRow } from './row.ts';

const PER_SECOND = 200;
/** Interval of the pieces; several tokens arrive together, as from a real service. */
const INTERVAL_MS = 20;

/** Returns an answer with file names, lists, code and a table, like an assistant's answer about a game. */
function toLongAnswer(tokens: number, scenes: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; pieces.length < tokens; at += 1) {
    const name = toSceneName((at * 37) % scenes);
    const part =
      at % 9 === 8
        ? `\`\`\`webgal\n雪乃:今天的海很安静;\nchangeScene:${name};\n\`\`\`\n\n`
        : at % 7 === 6
          ? `1. open ${name}\n2. then **look** at line 12\n3. and ${name}:4\n\n`
          : `The scene ${name} says that the rain begins, and *no one* has an umbrella with them there.\n\n`;
    pieces.push(...(part.match(/\s*\S+\s*|\n+/g) ?? []));
  }
  return pieces.slice(0, tokens);
}

/** Measures the longest blocked time of the page while an answer streams in, in a game of `scenes` scenes. */
export async function benchStreaming({ scenes, seconds }: { scenes: number; seconds: number }): Promise<Row> {
  const folders = await makeBenchFolders();
  await writeBigGame(folders.projectDir, { scenes });
  const tokens = toLongAnswer(seconds * PER_SECOND, scenes);
  const size = (PER_SECOND * INTERVAL_MS) / 1000;
  const text = Array.from({ length: Math.ceil(tokens.length / size) }, (_, at) =>
    tokens.slice(at * size, at * size + size).join(''),
  );
  const model = await createFakeModelServer(() => ({ text, delay: INTERVAL_MS }));
  const app = await openBenchPage(folders);
  try {
    const { page, call } = app;
    await waitForScenes(page, scenes);
    await call('settings.choose', { provider: 'custom', choice: { baseUrl: model.url, model: 'fake' } });
    await call('settings.update', { provider: 'custom' });
    await page.waitForTimeout(3000);
    const take = await watchBusy(page);
    await page.waitForTimeout(2000);
    const idle = await take();
    await call('chat.send', { text: 'Tell me everything', mode: 'act' });
    const startedAt = Date.now();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached', timeout: 300_000 });
    const took = Date.now() - startedAt;
    const busy = await take();
    return toRow({
      name: `a long answer: ${tokens.length} tokens at ${PER_SECOND}/s, ${scenes} scenes (${(took / 1000).toFixed(0)} s)`,
      ...{ busy, idle, goal: 50 },
    });
  } finally {
    await app.close();
    await model.close();
    await folders.remove();
  }
}
