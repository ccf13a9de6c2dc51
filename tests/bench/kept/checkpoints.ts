import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Checkpoints } from '../../../main/core/ports/stores/checkpoints.ts';
import { createCheckpointStore } from '../../../main/node/checkpoints/checkpoint-store.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';
import { createPathResolver } from '../../../main/node/project-fs/path-resolver.ts';
import { createProjectFolder, type ProjectFolder } from '../../support/games/project-folder.ts';
import { compare, time, toLine } from '../compare.ts';

const run = promisify(execFile);
const LIMITS = { automatic: 20, bytes: 50e9 };
/** A file that changed this recently is read again, by git and by a checkpoint alike. */
const SETTLE_MS = 3_000;

/** Creates a game of 2,600 files and 800 MB that cannot be compressed, like pictures and sounds. */
async function createLargeGame(): Promise<ProjectFolder> {
  const game = await createProjectFolder({});
  for (let index = 0; index < 1000; index += 1) {
    await game.put(`game/scene/chapter${index % 20}/${index}.txt`, `雪乃:第 ${index} 句;\n`.repeat(200));
  }
  for (let index = 0; index < 1500; index += 1) {
    await game.put(`game/figure/character${index % 30}/${index}.png`, randomBytes(400 * 1024));
  }
  for (let index = 0; index < 100; index += 1) await game.put(`game/bgm/${index}.mp3`, randomBytes(2 * 1024 * 1024));
  return game;
}

function open({ root, signature }: ProjectFolder, store: string): Checkpoints {
  const [resolver, agentFolder] = [createPathResolver(root), createAgentFolder(root)];
  return createCheckpointStore({ store, root, resolver, agentFolder, signature });
}

const keep = (checkpoints: Checkpoints, cause: 'user' | 'start' = 'user') =>
  checkpoints.create({ name: '', cause, limits: LIMITS }, { signal: new AbortController().signal });

/**
 * Measures a checkpoint of a large game against git: the first one against `git add -A` into an empty repository, one of the
 * unchanged game against `git status`. The repository's folder is outside of the game.
 */
export async function* benchCheckpoints(): AsyncGenerator<string> {
  const hasGit = await run('git', ['--version']).then(
    () => true,
    () => false,
  );
  if (!hasGit) {
    yield 'checkpoints: skipped, git is not installed';
    return;
  }
  const game = await createLargeGame();
  const around = `${game.root}-around`;
  const toFolder = (name: string) => path.join(around, name);
  const git = (folder: string, ...args: string[]) =>
    run('git', [`--git-dir=${folder}`, `--work-tree=${game.root}`, ...args], { maxBuffer: 1e8 });
  try {
    await mkdir(around);
    await sleep(SETTLE_MS);
    let count = 0;
    yield toLine(
      await compare({
        name: 'the first checkpoint of 2,600 files, 800 MB',
        state: 'cold',
        goal: { ratio: 0.33 },
        against: 'git add -A',
        rounds: 2,
        async ours() {
          const store = toFolder(`store-${count++}`);
          const checkpoints = open(game, store);
          const duration = await time(() => keep(checkpoints));
          await checkpoints.close();
          await rm(store, { recursive: true });
          return duration;
        },
        async theirs() {
          const folder = toFolder(`git-${count++}`);
          await run('git', ['init', '-q', '--bare', folder]);
          const duration = await time(() => git(folder, 'add', '-A'));
          await rm(folder, { recursive: true });
          return duration;
        },
      }),
    );
    const repository = toFolder('repository');
    await run('git', ['init', '-q', '--bare', repository]);
    await git(repository, 'add', '-A');
    const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
    await git(repository, ...identity, 'commit', '-q', '-m', 'bench');
    const checkpoints = open(game, toFolder('store'));
    await keep(checkpoints);
    await sleep(SETTLE_MS);
    for (const [name, cause] of [
      ['an automatic checkpoint of the unchanged game', 'start'],
      ['one of the user, its record on the disk', 'user'],
    ] as const) {
      yield toLine(
        await compare({
          ...{ name, goal: { ratio: 0.5 }, against: 'git status', rounds: 20 },
          ours: () => time(() => keep(checkpoints, cause)),
          theirs: () => time(() => git(repository, 'status', '--porcelain')),
        }),
      );
    }
    await checkpoints.close();
  } finally {
    await rm(around, { recursive: true, force: true });
    await game.dispose();
  }
}
