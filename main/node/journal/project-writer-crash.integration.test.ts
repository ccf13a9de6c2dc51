import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildKilledProgram,
  type KilledProgram,
  makeGame,
} from '../../../tests/support/attacks/killed/killed-program.ts';
import { toAsked, WRITE_SHAPES, type WriteShape } from '../../../tests/support/games/write-shapes.ts';
import { createRandom, SEED } from '../../../tests/support/random.ts';
import { toVersion } from '../files/strict-text.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createPathResolver } from '../project-fs/path-resolver.ts';
import { createSnapshotStore } from '../snapshots/snapshot-store.ts';
import { createTransactionLog } from '../transactions/transaction-log.ts';
import { createJournalSignature } from './journal-signature.ts';
import { createWriter } from './project-writer.ts';

const run = promisify(execFile);
/**
 * Number of points at which processes are killed. For many more: `KILLS=600 npx vitest run project-writer-crash`; the
 * disk then also fails in every shape of a transaction instead of one.
 */
const POINTS = Number(process.env.KILLS ?? 24);
const IS_THOROUGH = process.env.KILLS !== undefined;
const SHAPES = Object.keys(WRITE_SHAPES);
const random = createRandom(SEED);
/** Every shape is covered over several runs; each run begins at another one. */
const FIRST = Math.floor(random() * SHAPES.length);

let parent = '';
let program: KilledProgram;
/** The app's own folder, shared by the killed process and the next one. */
const home = () => path.join(parent, 'home');
beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'crash-'));
  // Before the calls are counted: only the first write of an installation creates the key.
  await createJournalSignature(home()).toMark('');
  program = await buildKilledProgram('killed-writer', parent);
});
afterAll(() => rm(parent, { recursive: true }), 60_000);
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => void process.stderr.write(`Repeat with SEED=${SEED}\n`));
});

const toShape = (name: string) => WRITE_SHAPES[name] as WriteShape;
const toAfter = ({ asked, after }: WriteShape) => after ?? asked;

async function makeProject(name: string, { before }: Pick<WriteShape, 'before'>): Promise<string> {
  const root = path.join(parent, name);
  await makeGame(root, before);
  return root;
}

/** Runs the writer in a separate process; `killed` tells whether it was killed. */
async function runUntil(root: string, shape: string, point?: number): Promise<{ killed: boolean; output: string }> {
  const output = await program.run('kill', home(), root, shape, ...(point === undefined ? [] : [String(point)]));
  return { killed: output === null, output: output ?? '' };
}

async function readState(root: string, files: Record<string, unknown>): Promise<Record<string, string | null>> {
  const state: Record<string, string | null> = {};
  for (const name of Object.keys(files)) state[name] = await readFile(path.join(root, name), 'utf8').catch(() => null);
  return state;
}

function openProject(root: string) {
  const folder = createAgentFolder(root);
  const signature = createJournalSignature(home());
  const log = createTransactionLog(folder, { signature });
  const { recorder, keeper } = log;
  const snapshots = createSnapshotStore(folder, { signature, keeper });
  const resolver = createPathResolver(root);
  return { snapshots, log, writer: createWriter({ resolver, folder, snapshots, signature, recorder }) };
}

/** Returns the statuses of the lines on the disk, in order; no transaction may have one of them twice. */
async function readStatuses(root: string): Promise<string[]> {
  const file = path.join(root, '.webgal_agent/transactions.log');
  const text = await readFile(file, 'utf8').catch(() => '');
  // A line that the kill cut off is none.
  const whole = text.split('\n').slice(0, -1);
  const lines = whole.flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const states = lines.map(({ patch_id: id, status }) => `${id} ${status}`);
  expect(states.length, states.join()).toBe(new Set(states).size);
  return lines.map(({ status }) => status);
}

/** Returns leftover files. Temp files of a killed process go once they are too old to be another program's. */
async function findLeft(root: string): Promise<string[]> {
  const find = async () => {
    const names = await readdir(root, { recursive: true });
    return names.filter((name) => /\.tmp$|[\\/]journal[\\/]./.test(name)).map((name) => path.join(root, name));
  };
  for (const file of await find()) await utimes(file, 0, 0);
  const { writer, log } = openProject(root);
  await writer.recover();
  await writer.settle();
  await log.close();
  return find();
}

async function check(root: string, shape: WriteShape): Promise<'old' | 'new'> {
  const { before, asked } = shape;
  const after = toAfter(shape);
  for (const [name, text] of Object.entries(await readState(root, before))) {
    expect([before[name], after[name]]).toContain(text);
  }
  const { snapshots, writer, log } = openProject(root);
  await writer.recover();
  await log.close();
  const state = await readState(root, before);
  const outcome = JSON.stringify(state) === JSON.stringify(after) ? 'new' : 'old';
  // The log says what the disk says.
  const statuses = await readStatuses(root);
  const written = shape.isAutomatic ? [['validated', 'pending']] : [['applied']];
  expect(outcome === 'new' ? written : [[], ['rolled_back'], ['failed']]).toContainEqual(
    // A dry run is in the log before anything is written.
    outcome === 'old' && statuses[0] === 'validated' ? statuses.slice(1) : statuses,
  );
  expect(state).toEqual(outcome === 'new' ? after : before);
  const kept = await snapshots.list();
  // A write can be undone; without a write, no record must remain that would answer a repeated call.
  const texts = await Promise.all(kept.map(async ({ id }) => (await snapshots.read(id)).text));
  const wasThere = Object.keys(asked).map(
    (name) => toAsked(name, before[name] ?? null)?.replace(/^\ufeff/, '') ?? null,
  );
  if (outcome === 'new') expect(texts.map((text) => text?.replace(/^\ufeff/, '') ?? null)).toEqual(wasThere.reverse());
  expect(kept.filter(({ idempotencyKey }) => idempotencyKey)).toHaveLength(outcome === 'new' ? wasThere.length : 0);

  const again = openProject(root);
  const changes = Object.entries(asked).map(([name, text]) => {
    const there = before[name] ?? null;
    return { path: name, text: toAsked(name, text), base: there === null ? null : toVersion(Buffer.from(there)) };
  });
  const label = { origin: shape.origin, group: 'turn', title: 'again', idempotencyKey: 'key' };
  const repeated = await again.writer.apply(changes, label);
  await again.writer.settle();
  await again.log.close();
  expect(await readStatuses(root)).toEqual(outcome === 'new' ? statuses : [...statuses, 'applied']);
  expect(await readState(root, before)).toEqual(after);
  if (outcome === 'new') expect(repeated.map((one) => one.snapshotId)).toEqual(kept.map(({ id }) => id).reverse());
  expect(await findLeft(root)).toEqual([]);
  return outcome;
}

describe.skipIf(process.platform === 'win32')('a process killed', () => {
  it(
    'anywhere in a transaction leaves all files old or all new, and the call can be repeated',
    async () => {
      const counts = new Map<string, number>();
      const wholes = SHAPES.map(async (name) => {
        const root = await makeProject(`whole-${name}`, toShape(name));
        return [name, root, Number((await runUntil(root, name)).output)] as const;
      });
      for (const [name, root, count] of await Promise.all(wholes)) {
        // Runs differ by a call or two (a read may return one chunk or two), so the last calls are left out.
        counts.set(name, count - 4);
        expect(await readState(root, toShape(name).before), name).toEqual(toAfter(toShape(name)));
        expect(counts.get(name), name).toBeGreaterThan(30);
      }
      // One random point in each of equal ranges: each run differs, and no range stays uncovered for long.
      const each = Math.ceil(POINTS / SHAPES.length);
      const points = Array.from({ length: POINTS }, (_, index) => {
        const shape = SHAPES[(index + FIRST) % SHAPES.length] ?? '';
        const stretch = Math.floor(index / SHAPES.length) + random();
        return { shape, index, at: 1 + Math.floor((stretch / each) * (counts.get(shape) ?? 0)) };
      });
      const outcomes = { old: 0, new: 0 };
      const work = async (): Promise<void> => {
        for (let point = points.pop(); point !== undefined; point = points.pop()) {
          const { shape, index, at } = point;
          const root = await makeProject(`at-${index}`, toShape(shape));
          const { killed } = await runUntil(root, shape, Math.min(at, counts.get(shape) ?? 1));
          expect(killed, `${shape} at call ${at}`).toBe(true);
          outcomes[
            await check(root, toShape(shape)).catch((error: unknown) => {
              throw new Error(`${shape} killed at call ${at} of ${counts.get(shape)}`, { cause: error });
            })
          ] += 1;
        }
      };
      await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
      expect(outcomes.old).toBeGreaterThan(0);
      expect(outcomes.new).toBeGreaterThan(0);
      expect(outcomes.old + outcomes.new).toBe(POINTS);
      if (IS_THOROUGH) process.stderr.write(`killed at ${POINTS} calls: ${JSON.stringify(outcomes)}\n`);
    },
    60_000 + POINTS * 1_000,
  );

  it('after a file was changed back keeps the other files of the acknowledged change', async () => {
    const files = { 'game/scene/a.txt': null, 'game/scene/b.txt': null, 'game/c.txt': null };
    const root = await makeProject('reverted', { before: files });
    await expect(
      run(process.execPath, [program.script, 'revert', home(), root], program.options),
    ).rejects.toMatchObject({
      signal: 'SIGKILL',
    });
    const { writer, log } = openProject(root);
    await writer.recover();
    await log.close();
    expect(Object.values(await readState(root, files))).toEqual([null, 'new', 'new']);
    expect(await readStatuses(root)).toEqual(['applied', 'applied']);
  });

  it(
    'at any moment leaves the files of a transaction consistent, and no acknowledged write is lost',
    async () => {
      const files = { 'game/scene/a.txt': null, 'game/scene/b.txt': null, 'game/c.txt': null };
      let reached = 0;
      for (let turn = 0; turn < Math.ceil(POINTS / 8); turn += 1) {
        const root = await makeProject(`moment-${turn}`, { before: files });
        const child = spawn(process.execPath, [program.script, 'loop', home(), root], program.options);
        let said = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
        const ended = new Promise((resolve) => child.once('close', resolve));
        await new Promise((resolve) => child.stdout.once('data', resolve));
        await pause(random() * 60);
        child.kill('SIGKILL');
        await ended;
        const done = Number(said.trim().split('\n').at(-1));
        const { writer: next, log } = openProject(root);
        await next.recover();
        await log.close();
        const numbers = Object.values(await readState(root, files));
        expect(new Set(numbers).size, `${done}: ${numbers}`).toBe(1);
        expect([done, done + 1]).toContain(Number(numbers[0]));
        const { snapshots, writer } = openProject(root);
        const [newest] = await snapshots.list({ pathPrefix: 'game/c.txt', limit: 1 });
        const { text } = await snapshots.read(newest?.id ?? '');
        expect(text).toBe(numbers[0] === '1' ? null : String(Number(numbers[0]) - 1));
        await writer.settle();
        expect(await findLeft(root)).toEqual([]);
        reached += done;
      }
      expect(reached).toBeGreaterThan(0);
      if (IS_THOROUGH) process.stderr.write(`killed at ${Math.ceil(POINTS / 8)} moments, after ${reached} writes\n`);
    },
    60_000 + POINTS * 1_000,
  );
});

/** A different shape on each run; with `KILLS` all of them. */
const failing = IS_THOROUGH ? SHAPES : SHAPES.slice(FIRST, FIRST + 1);
it.each(failing)(
  'a disk that fails or is full at any call of a transaction (%s) leaves all files old or all new',
  async (name) => {
    const shape = toShape(name);
    const calls = Number((await runUntil(await makeProject(`counted-${name}`, shape), name)).output);
    const place = path.join(parent, `failing-${name}`);
    const points = Array.from({ length: calls }, (_, index) => index + 1);
    for (const point of points) await makeProject(`failing-${name}/${point}`, shape);
    const { stdout } = await run(process.execPath, [program.script, 'fail', home(), place, name, points.join(',')]);
    const outcomes = stdout.trim().split('\n');
    expect(outcomes).toHaveLength(points.length);
    for (const line of outcomes) {
      const [point = '', outcome] = line.split(' ');
      const root = path.join(place, point);
      // The report must match the disk: an error means that no file changed, without a restart in between.
      expect(['done', 'E_IO'], line).toContain(outcome);
      expect(await readState(root, shape.before), line).toEqual(outcome === 'done' ? toAfter(shape) : shape.before);
      const found = await check(root, shape).catch((error: unknown) => {
        throw new Error(`${name}: call ${line}`, { cause: error });
      });
      expect(found, line).toBe(outcome === 'done' ? 'new' : 'old');
    }
  },
  IS_THOROUGH ? 600_000 : 120_000,
);
