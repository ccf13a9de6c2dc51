import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { createProjectFolder } from '../support/games/project-folder.ts';
import { type Comparison, compare, time } from './compare.ts';

const FILES = 200;
const LINES = 40;

/** Measures accepting many files in one step, against the same number of parallel writes with fsync and rename. */
export async function benchAccept(): Promise<Comparison> {
  const toText = (edition: number) => `雪乃:第 ${edition} 版;\n${'雪乃:你好;\n'.repeat(LINES)}`;
  const files: Record<string, string> = {};
  for (let index = 0; index < FILES; index += 1) {
    files[`game/scene/ours${index}.txt`] = toText(0);
    files[`game/scene/theirs${index}.txt`] = toText(0);
  }
  const game = await createProjectFolder(files);
  let edition = 0;
  try {
    return await compare({
      name: `accept of ${FILES} files`,
      goal: { ratio: 1.5 },
      against: 'as many writes with a sync at once',
      rounds: 9,
      async ours() {
        edition += 1;
        const paths = Array.from({ length: FILES }, (_, index) => `game/scene/ours${index}.txt`);
        const before = await Promise.all(paths.map((one) => game.reader.read(one)));
        const changes = before.map((file) => ({ path: file.path, text: toText(edition), base: file.version }));
        return time(() => game.writer.apply(changes, { origin: 'agent', group: `bench${edition}`, title: 'bench' }));
      },
      theirs: () =>
        time(() =>
          Promise.all(
            Array.from({ length: FILES }, async (_, index) => {
              const file = path.join(game.root, `game/scene/theirs${index}.txt`);
              const handle = await open(`${file}.new`, 'w');
              await handle.writeFile(toText(edition));
              await handle.sync();
              await handle.close();
              await rename(`${file}.new`, file);
            }),
          ),
        ),
    });
  } finally {
    await game.dispose();
  }
}
