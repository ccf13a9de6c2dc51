import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildKilledProgram,
  type KilledProgram,
  makeGame,
} from '../../../tests/support/attacks/killed/killed-program.ts';
import { WRITE_SHAPES, type WriteShape } from '../../../tests/support/games/write-shapes.ts';
import { createRandom, SEED } from '../../../tests/support/random.ts';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createWriter } from '../journal/project-writer.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createPathResolver } from '../project-fs/path-resolver.ts';
import { createSnapshotStore } from '../snapshots/snapshot-store.ts';
import { createTransactionLog } from './transaction-log.ts';

/** Number of decisions that are killed. For more: `KILLS=300 npx vitest run decided-kills`. */
const RUNS = Number(process.env.KILLS ?? 16);
const SHAPES = ['one', 'made', 'gone', 'several', 'endings', 'rename'];
const random = createRandom(SEED);

let parent = '';
let program: KilledProgram;
const home = () => path.join(parent, 'home');
beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'decided-'));
  await createJournalSignature(home()).toMark('');
  program = await buildKilledProgram('killed-writer', parent);
});
afterAll(() => rm(parent, { recursive: true }));
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => void process.stderr.write(`Repeat with SEED=${SEED}\n`));
});

async function decide(decision: string, place: { name: string; shape: string; point: number }): Promise<string | null> {
  const root = path.join(parent, place.name);
  await makeGame(root, (WRITE_SHAPES[place.shape] as WriteShape).before);
  return program.run(decision, home(), root, place.shape, String(place.point));
}

/** Recovers and returns whether the change is on the disk. */
async function check(root: string, decision: string, shape: WriteShape): Promise<boolean> {
  const folder = createAgentFolder(root);
  const signature = createJournalSignature(home());
  const log = createTransactionLog(folder, { signature });
  const { recorder, keeper } = log;
  const snapshots = createSnapshotStore(folder, { signature, keeper });
  const writer = createWriter({ resolver: createPathResolver(root), folder, snapshots, signature, recorder });
  await writer.recover();
  const after = { ...shape.asked, ...shape.after };
  const state: Record<string, string | null> = {};
  for (const name of Object.keys(after)) state[name] = await readFile(path.join(root, name), 'utf8').catch(() => null);
  const isThere = JSON.stringify(state) === JSON.stringify(after);
  if (!isThere) expect([decision, state]).toEqual(['undo', shape.before]);
  const { transactions, setAside } = await log.read();
  await writer.settle();
  await log.close();
  expect(setAside).toEqual([]);
  const raw = await readFile(path.join(root, '.webgal_agent/transactions.log'), 'utf8');
  // A line that the kill cut off is none.
  const lines = raw.split('\n').slice(0, -1);
  const states = lines.filter(Boolean).map((line) => {
    const { patch_id: id, status } = JSON.parse(line);
    return `${id} ${status}`;
  });
  expect(new Set(states).size, states.join()).toBe(states.length);
  const [change, undo, ...others] = transactions;
  expect(others).toEqual([]);
  if (decision === 'keep') {
    expect(undo).toBeUndefined();
    expect(['pending', 'applied']).toContain(change?.status);
  } else if (isThere) {
    expect(change?.status).toBe('pending');
    expect([undefined, 'rolled_back']).toContain(undo?.status);
  } else {
    expect([change?.status, change?.metadata.by]).toEqual(['rolled_back', undo?.patch_id]);
    expect([undo?.status, undo?.metadata.rolls_back]).toEqual(['applied', change?.patch_id]);
  }
  return isThere;
}

describe.skipIf(process.platform === 'win32')('a process killed while the user decides on a pending change', () => {
  it.each(['keep', 'undo'])(
    '(%s) leaves all files on one side, and the log says which',
    async (decision) => {
      const counts = { there: 0, gone: 0, kills: 0 };
      const calls = new Map<string, number>();
      for (const shape of SHAPES) {
        const counted = await decide(decision, { name: `whole-${decision}-${shape}`, shape, point: 0 });
        calls.set(shape, Number(counted));
      }
      const runs = Math.ceil(RUNS / 2);
      const points = Array.from({ length: runs }, (_, index) => ({ index, share: (index + random()) / runs }));
      const work = async (): Promise<void> => {
        for (let one = points.pop(); one !== undefined; one = points.pop()) {
          const shape = SHAPES[one.index % SHAPES.length] ?? '';
          const point = 1 + Math.floor(one.share * (calls.get(shape) ?? 1));
          const name = `${decision}-${one.index}`;
          if ((await decide(decision, { name, shape, point })) === null) counts.kills += 1;
          const root = path.join(parent, name);
          const isThere = await check(root, decision, WRITE_SHAPES[shape] as WriteShape).catch((error: unknown) => {
            throw new Error(`${decision} of ${shape} killed at ${point}`, { cause: error });
          });
          counts[isThere ? 'there' : 'gone'] += 1;
          await rm(root, { recursive: true });
        }
      };
      await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
      expect(counts.kills).toBeGreaterThan(0);
      if (process.env.KILLS) process.stderr.write(`${decision}: ${JSON.stringify(counts)}\n`);
    },
    60_000 + RUNS * 2_000,
  );
});
