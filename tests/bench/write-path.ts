import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createGameFolder } from '../support/game-folder.ts';
import { type Comparison, compare, time } from './compare.ts';

const LINES = 400;

/** A save through the one writer (base check, snapshot, journal, atomic replacement) against the least that keeps a file whole. */
export async function benchWritePath(): Promise<Comparison> {
  const path = 'game/scene/start.txt';
  const game = await createGameFolder({ [path]: '', 'game/scene/plain.txt': '' });
  let version = (await game.reader.read(path)).version;
  let edition = 0;
  const toText = (): string => {
    edition += 1;
    return `雪乃:第 ${edition} 版;\n`.repeat(LINES);
  };
  const plain = join(game.root, 'game', 'scene', 'plain.txt');
  try {
    return await compare({
      name: 'write path',
      against: 'write + fsync + rename',
      rounds: 200,
      ours: () =>
        time(async () => {
          const label = { origin: 'agent', group: `g${edition}`, title: 'bench' } as const;
          const [written] = await game.writer.apply([{ path, text: toText(), base: version }], label);
          version = written?.version ?? version;
        }),
      theirs: () =>
        time(async () => {
          const file = await open(`${plain}.new`, 'w');
          await file.writeFile(toText());
          await file.sync();
          await file.close();
          await rename(`${plain}.new`, plain);
        }),
    });
  } finally {
    await game.dispose();
  }
}
