import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildKilledProgram, type KilledProgram } from '../../../tests/support/attacks/killed/killed-program.ts';
import { createLoggedGame, type LoggedGame } from '../../../tests/support/games/logged-game.ts';
import { createRandom, SEED } from '../../../tests/support/random.ts';
import { createAssetStore, describeAssetBytes } from '../assets/asset-store.ts';
import { toVersion } from '../files/strict-text.ts';

/** Number of replays that are killed. For more: `KILLS=200 npx vitest run replay-kills`. */
const RUNS = Number(process.env.KILLS ?? 12);
const random = createRandom(SEED);
const FILES: Record<string, string> = {
  'game/config.txt': 'Game_name:雨;\n',
  'game/scene/start.txt': `\uFEFF${'雪乃:你好;\r\n'.repeat(2000)}`,
  'game/scene/two.txt': 'end;',
};
const CHANGES: Record<string, string | null>[] = [
  { 'game/config.txt': 'Game_name:雪;\n', 'game/scene/start.txt': '\uFEFF雪乃:再见;\r\n' },
  { 'game/scene/two.txt': null, 'game/scene/three.txt': `${'甲:一;\n'.repeat(50_000)}`, 'notes.md': 'rain' },
];

/** Its bytes are not UTF-8, and `SAME` is a text and a picture with the same bytes. */
const PICTURE = Buffer.concat([Buffer.from('GIF89a\x01\0\x01\0\xff\xfe', 'latin1'), randomBytes(40_000)]);
const SAME = 'GIF89a\u0001\u0001\u0001\u0001 in words'.padEnd(64);

let game: LoggedGame;
let program: KilledProgram;
beforeAll(async () => {
  game = await createLoggedGame(FILES);
  const assets = createAssetStore(game.folder);
  for (const bytes of [PICTURE, Buffer.from(SAME)]) await assets.add(bytes);
  const pictures = {
    'game/figure/aki.gif': describeAssetBytes(PICTURE),
    'game/figure/same.gif': describeAssetBytes(Buffer.from(SAME)),
    'game/same.txt': SAME,
  };
  for (const [index, texts] of [...CHANGES, pictures].entries()) await game.write(texts, { group: `turn-${index}` });
  await game.close();
  program = await buildKilledProgram('killed-writer', path.dirname(game.root));
}, 60_000);
afterAll(() => game.dispose());
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => void process.stderr.write(`Repeat with SEED=${SEED}\n`));
});

async function readAll(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const read = files.map(async (file) => [path.relative(folder, file), toVersion(await readFile(file))]);
  return Object.fromEntries(await Promise.all(read));
}

it.skipIf(process.platform === 'win32')(
  'a killed replay changes nothing of the game, leaves no incomplete game, and can be repeated',
  async () => {
    const { transactions } = await game.transactions.read();
    await game.close();
    const id = transactions.at(-1)?.patch_id ?? '';
    const target = `${game.root}-replay`;
    const run = (point: number) => program.run('replay', game.home, game.root, id, String(point));
    const before = await readAll(game.root);
    const calls = Number(await run(0));
    const whole = await readAll(target);
    const present = Object.entries(before).filter(([file]) => !file.startsWith('.webgal_agent'));
    expect(whole).toEqual(Object.fromEntries(present));
    expect(whole['game/figure/aki.gif']).toBe(toVersion(PICTURE));
    const findLeft = async () =>
      (await readdir(path.dirname(target))).filter((name) => name.startsWith(`.${path.basename(target)}.`));
    const counts = { killed: 0, complete: 0, left: 0 };
    for (let index = 0; index < RUNS; index += 1) {
      await rm(target, { recursive: true, force: true });
      if ((await run(1 + Math.floor(((index + random()) / RUNS) * (calls - 2)))) !== null) continue;
      counts.killed += 1;
      expect(await readAll(game.root)).toEqual(before);
      // A folder that is there is complete. Otherwise the same call can be made again.
      if (existsSync(target)) {
        expect(await readAll(target)).toEqual(whole);
        counts.complete += 1;
      } else {
        counts.left += (await findLeft()).length;
        await run(0);
        expect(await readAll(target)).toEqual(whole);
        expect(await findLeft()).toEqual([]);
      }
    }
    expect(counts.killed).toBeGreaterThan(0);
    if (process.env.KILLS) process.stderr.write(`${JSON.stringify(counts)}\n`);
  },
  60_000 + RUNS * 3_000,
);
