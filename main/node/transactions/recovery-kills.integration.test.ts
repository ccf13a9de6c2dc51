import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import {
  buildKilledProgram,
  type KilledProgram,
  makeGame,
} from '../../../tests/support/attacks/killed/killed-program.ts';
import { WRITE_SHAPES, type WriteShape } from '../../../tests/support/games/write-shapes.ts';
import { createRandom, SEED } from '../../../tests/support/random.ts';
import { toRuns } from '../../../tests/support/thorough.ts';
import { createAssetStore } from '../assets/asset-store.ts';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createTransactionLog } from './transaction-log.ts';

/** Number of transactions that are killed; each recovery of them is killed up to three times. For more: `KILLS=300`. */
const RUNS = Number(process.env.KILLS ?? toRuns(120));
const SHAPES = Object.keys(WRITE_SHAPES);
/** Kills within a write are spread over this many calls, and over fewer within a recovery. */
const WRITE_CALLS = 120;
const RECOVERY_CALLS = 90;
const random = createRandom(SEED);

let parent = '';
let writer: KilledProgram;
const home = () => path.join(parent, 'home');
beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'recovery-'));
  await createJournalSignature(home()).toMark('');
  writer = await buildKilledProgram('killed-writer', parent);
});
afterAll(() => rm(parent, { recursive: true }));
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => void process.stderr.write(`Repeat with SEED=${SEED}\n`));
});

/** Returns whether the process was killed. */
async function runUntil(mode: 'kill' | 'recover', root: string, shape: string, point?: number): Promise<boolean> {
  return (await writer.run(mode, home(), root, shape, ...(point === undefined ? [] : [String(point)]))) === null;
}

async function makeProject(name: string, { before }: Pick<WriteShape, 'before'>): Promise<string> {
  const root = path.join(parent, name);
  await makeGame(root, before);
  return root;
}

describe.skipIf(process.platform === 'win32')('a recovery that is killed again and again', () => {
  it(
    'leaves one line with the true outcome, and every text that the line names',
    async () => {
      const counts = { applied: 0, rolledBack: 0, none: 0, kills: 0 };
      const points = Array.from({ length: RUNS }, (_, index) => ({
        index,
        shape: SHAPES[index % SHAPES.length] ?? '',
        at: 1 + Math.floor(random() * WRITE_CALLS),
        kills: Array.from({ length: Math.floor(random() * 4) }, () => 1 + Math.floor(random() * RECOVERY_CALLS)),
      }));
      const work = async (): Promise<void> => {
        for (let point = points.pop(); point !== undefined; point = points.pop()) {
          const { index, shape: name, at, kills } = point;
          const shape = WRITE_SHAPES[name] as WriteShape;
          const root = await makeProject(`at-${index}`, shape);
          if (await runUntil('kill', root, name, at)) counts.kills += 1;
          for (const kill of kills) if (await runUntil('recover', root, '-', kill)) counts.kills += 1;
          expect(await runUntil('recover', root, '-')).toBe(false);
          const outcome = await check(root, shape).catch((error: unknown) => {
            throw new Error(`${name} killed at ${at}, recovery at ${kills}`, { cause: error });
          });
          counts[outcome] += 1;
        }
      };
      await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
      expect(counts.applied).toBeGreaterThan(0);
      expect(counts.none + counts.rolledBack).toBeGreaterThan(0);
      if (process.env.KILLS) process.stderr.write(`${JSON.stringify(counts)}\n`);
    },
    60_000 + RUNS * 3_000,
  );
});

async function check(root: string, shape: WriteShape): Promise<'applied' | 'rolledBack' | 'none'> {
  const after = { ...shape.asked, ...shape.after };
  const state: Record<string, string | null> = {};
  for (const name of Object.keys(after)) state[name] = await readFile(path.join(root, name), 'utf8').catch(() => null);
  const isNew = JSON.stringify(state) === JSON.stringify(after);
  if (!isNew) expect(state).toEqual(shape.before);
  const raw = await readFile(path.join(root, '.webgal_agent/transactions.log'), 'utf8').catch(() => '');
  const signature = createJournalSignature(home());
  const log = createTransactionLog(createAgentFolder(root), { signature });
  const { transactions, setAside } = await log.read();
  expect(setAside).toEqual([]);
  const [only, ...others] = transactions;
  expect(others).toEqual([]);
  // An automatic write has the line of its dry run first.
  // A line that a kill cut off is none.
  const lines = raw.split('\n').slice(0, -1).filter(Boolean);
  const planned = lines[0]?.includes('"status":"validated"') ? 1 : 0;
  const written = only?.status === 'validated' ? undefined : only;
  expect(lines).toHaveLength(planned + (written ? 1 : 0));
  if (isNew) expect(written?.status).toBe(shape.isAutomatic ? 'pending' : 'applied');
  else expect([undefined, 'rolled_back']).toContain(written?.status);
  const assets = createAssetStore(createAgentFolder(root));
  for (const { path: file, after: hash } of (isNew && only?.commands) || []) {
    const store = isAssetName(file) ? { read: assets.find } : log.texts;
    const text = hash === null ? null : ((await store.read(hash))?.toString() ?? 'missing');
    expect(text).toBe(after[file]);
  }
  await log.close();
  return isNew ? 'applied' : written ? 'rolledBack' : 'none';
}
