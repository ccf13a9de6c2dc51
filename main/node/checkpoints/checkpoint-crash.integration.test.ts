import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildKilledProgram, type KilledProgram } from '../../../tests/support/attacks/killed/killed-program.ts';
import { createInlineTasks } from '../../../tests/support/games/inline-tasks.ts';
import { createRandom, SEED } from '../../../tests/support/random.ts';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createWriter } from '../journal/project-writer.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createPathResolver } from '../project-fs/path-resolver.ts';
import { createSnapshotStore } from '../snapshots/snapshot-store.ts';
import { createTransactionLog } from '../transactions/transaction-log.ts';
import { createCheckpointStore } from './checkpoint-store.ts';

/** Number of points at which processes are killed; for many more: `KILLS=600 npx vitest run checkpoint-crash`. */
const POINTS = Number(process.env.KILLS ?? 24);
const LIMITS = { automatic: 2, bytes: 1e9 };
const random = createRandom(SEED);

/** The files of the first state, and of the one in which the process starts. */
const OLD: Record<string, string> = {
  'game/scene/start.txt': '雪乃:你好;\n',
  'game/scene/two.txt': 'one line;\n',
  'game/figure/a.png': `\u0000old ${'a'.repeat(3000)}`,
  'game/bgm/gone.mp3': '\u0000music',
};
const NEW: Record<string, string> = {
  'game/scene/start.txt': '雪乃:再见;\n',
  'game/scene/two.txt': 'one line;\n',
  'game/figure/a.png': `\u0000new ${'b'.repeat(2000)}`,
  'game/figure/later.png': '\u0000later',
};

let parent = '';
let program: KilledProgram;
let template = '';

function open(folder: string) {
  const [home, root] = [path.join(folder, 'home'), path.join(folder, 'game')];
  const store = path.join(home, 'store');
  const [agentFolder, resolver] = [createAgentFolder(root), createPathResolver(root)];
  const signature = createJournalSignature(home);
  const tasks = createInlineTasks(store);
  const log = createTransactionLog(agentFolder, { signature });
  const { keeper, recorder } = log;
  const snapshots = createSnapshotStore(agentFolder, { signature, keeper });
  const writer = createWriter({ resolver, folder: agentFolder, snapshots, signature, recorder });
  return {
    writer,
    log,
    root,
    checkpoints: createCheckpointStore({ store, root, resolver, agentFolder, signature, tasks }),
  };
}

async function put(root: string, files: Record<string, string>): Promise<void> {
  await rm(path.join(root, 'game'), { recursive: true, force: true });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
}

beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'checkpoint-crash-'));
  program = await buildKilledProgram('killed-checkpoint', parent);
  template = path.join(parent, 'template');
  const { root, checkpoints } = open(template);
  await put(root, OLD);
  await checkpoints.create({ name: 'first', cause: 'user', limits: LIMITS }, { signal: new AbortController().signal });
  await checkpoints.close();
  await put(root, NEW);
}, 60_000);
afterAll(() => rm(parent, { recursive: true, force: true }));

async function runUntil(folder: string, work: string, point: number): Promise<number | null> {
  const output = await program.run(path.join(folder, 'home'), path.join(folder, 'game'), work, String(point));
  return output === null ? null : Number(output);
}

const readText = (root: string, file: string) => readFile(path.join(root, file), 'utf8').catch(() => undefined);

/** Checks the game and the store after a kill, and that the work can be done again. */
async function check(folder: string, work: 'keep' | 'restore'): Promise<void> {
  const { root, writer, log, checkpoints } = open(folder);
  const context = { signal: new AbortController().signal };
  await writer.recover();
  for (const file of new Set([...Object.keys(OLD), ...Object.keys(NEW)])) {
    const there = await readText(root, file);
    // Each file is whole, and nothing of the present is lost.
    expect(work === 'keep' ? [NEW[file]] : [NEW[file], OLD[file]], file).toContain(there);
  }
  // The log says what the disk says, once.
  const { transactions, setAside } = await log.read();
  const text = 'game/scene/start.txt';
  const isRestored = work === 'restore' && (await readText(root, text)) === OLD[text];
  const written = transactions.filter(({ status }) => status === 'applied');
  expect([written.map(({ commands }) => commands.map(({ path: one }) => one)), setAside]).toEqual([
    isRestored ? [[text]] : [],
    [],
  ]);
  expect(transactions.length - written.length).toBeLessThan(isRestored ? 1 : 2);
  const { checkpoints: listed } = await checkpoints.list();
  expect(listed.map(({ name }) => name)).toContain('first');
  for (const { id, cause, name } of listed) {
    const wanted = name === 'first' ? OLD : cause === 'start' ? null : NEW;
    for (const [file, text] of Object.entries(wanted ?? {})) {
      const kept = await checkpoints.find(id, file);
      expect(kept && Buffer.from(await checkpoints.read(kept)).toString(), file).toBe(text);
    }
  }
  const first = listed.at(-1)?.id ?? '';
  const before = await checkpoints.create({ name: '', cause: 'restore', limits: LIMITS }, context);
  const { changes } = await checkpoints.compare(before.id, first, context);
  const staged = await checkpoints.stage(changes, context);
  expect([...staged.failed, ...(await staged.commit())]).toEqual([]);
  for (const [file, text] of Object.entries(OLD)) expect(await readText(root, file), file).toBe(text);
  await checkpoints.prune(LIMITS, []);
  expect((await checkpoints.compare(first, null, context)).changes).toEqual([]);
  await writer.settle();
  await log.close();
  await checkpoints.close();
}

describe.skipIf(process.platform === 'win32')('a process killed', () => {
  it.each(['keep', 'restore'] as const)(
    'anywhere in a %s leaves every file whole and every checkpoint readable',
    async (work) => {
      const whole = path.join(parent, `whole-${work}`);
      await cp(template, whole, { recursive: true });
      const count = (await runUntil(whole, work, 0)) ?? 0;
      await check(whole, work);
      expect(count).toBeGreaterThan(50);
      const each = Math.ceil(POINTS / 2);
      let killed = 0;
      for (let index = 0; index < each; index += 1) {
        // One random point in each of equal ranges.
        const point = 1 + Math.floor(((index + random()) / each) * (count - 4));
        const folder = path.join(parent, `${work}-${point}-${index}`);
        await cp(template, folder, { recursive: true });
        if ((await runUntil(folder, work, point)) === null) killed += 1;
        await check(folder, work);
        await rm(folder, { recursive: true, force: true });
      }
      expect(killed).toBeGreaterThan(each * 0.8);
    },
    600_000,
  );
});
