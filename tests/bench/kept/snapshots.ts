import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createProjectFolder, type ProjectFolder } from '../../support/games/project-folder.ts';
import { type Comparison, compare, time } from '../compare.ts';

const MANY = 5000;
const FEW = 50;
const SCENE = 'game/scene/start.txt';

/** Creates a game with `count` snapshots of earlier runs, spread over files so that the retention keeps them. */
async function createKept(count: number): Promise<{ game: ProjectFolder; folder: string; save: () => Promise<void> }> {
  const game = await createProjectFolder({ [SCENE]: '' });
  const folder = path.join(game.root, '.webgal_agent', 'snapshots');
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const timestamp = Date.UTC(2026, 0, 1) + index * 1000;
    const time = new Date(timestamp).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
    const id = `snap_${time}_${index.toString(16).padStart(8, '0')}`;
    const meta = {
      id,
      path: `game/scene/chapter${Math.floor(index / 20)}.txt`,
      timestamp,
      // sha-256 of “x”.
      contentHash: '2d711642',
      existed: true,
      origin: 'agent',
      group: 'turn',
      title: 'An earlier turn',
      after: null,
      bytes: 1,
    };
    await writeFile(path.join(folder, `${id}.txt`), 'x');
    await writeFile(path.join(folder, `${id}.meta.json`), JSON.stringify(meta));
  }
  let version = (await game.reader.read(SCENE)).version;
  let edition = 0;
  return {
    game,
    folder,
    async save() {
      edition += 1;
      const change = { path: SCENE, text: `雪乃:第 ${edition} 版;\n`.repeat(100), base: version };
      const [written] = await game.writer.apply([change], { origin: 'agent', group: `g${edition}`, title: 'bench' });
      version = written?.version ?? version;
    },
  };
}

/** Measures listing the newest fifty of thousands of snapshots, against reading the names only. */
export async function benchSnapshotList(): Promise<Comparison> {
  const { game, folder } = await createKept(MANY);
  try {
    return await compare({
      name: `list_snapshots with ${MANY} stored`,
      goal: { ratio: 1 },
      against: 'readdir of that folder',
      rounds: 50,
      ours: () =>
        time(async () => {
          const listed = await game.snapshots.list({ limit: 50 });
          if (listed.length !== 50) throw new Error(`The list has ${listed.length} entries.`);
        }),
      theirs: () => time(() => readdir(folder)),
    });
  } finally {
    await game.dispose();
  }
}

/** Measures a write with thousands of snapshots, against one with few. */
export async function benchSnapshotGrowth(): Promise<Comparison> {
  const [many, few] = [await createKept(MANY), await createKept(FEW)];
  try {
    return await compare({
      name: `a write with ${MANY} snapshots stored`,
      goal: { ratio: 1.2 },
      against: `one with ${FEW}`,
      rounds: 100,
      ours: () => time(many.save),
      theirs: () => time(few.save),
    });
  } finally {
    for (const { game } of [many, few]) await game.dispose();
  }
}
