import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAgentFolder } from './agent-folder.ts';
import { createJournalSeal } from './journal-seal.ts';
import { createPathResolver } from './path-resolver.ts';
import { createWriter } from './project-writer.ts';
import { createSnapshotStore } from './snapshot-store.ts';
import { toVersion } from './strict-text.ts';

const run = promisify(execFile);
let script = '';
/** Points at which a process is killed. Many more are tried by hand: `KILLS=600 npx vitest run project-writer-crash`. */
const POINTS = Number(process.env.KILLS ?? 48);

const OLD = { 'one.txt': 'one, old\n', 'chapter/two.txt': null, 'gone.txt': 'gone, old\n' };
const NEW = { 'one.txt': 'one, new\n', 'chapter/two.txt': 'two, new\n', 'gone.txt': null };

let parent = '';
/** The app's own folder, which the killed process and the one after it share. */
const home = () => path.join(parent, 'home');
beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'crash-'));
  // Made before the calls are counted: only the very first write of an installation makes it.
  await createJournalSeal(home()).toMark('');
  // One file starts in half the time of twenty, a hundred times.
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: 'tests/support/killed-writer.ts', outDir: path.join(parent, 'script'), target: 'node24' },
  });
  script = path.join(parent, 'script/killed-writer.js');
  await writeFile(path.join(parent, 'script/package.json'), '{"type":"module"}');
});
afterAll(() => rm(parent, { recursive: true }));

async function makeProject(name: string): Promise<string> {
  const root = path.join(parent, name);
  await mkdir(path.join(root, 'game/scene'), { recursive: true });
  await writeFile(path.join(root, 'game/scene/one.txt'), OLD['one.txt']);
  await writeFile(path.join(root, 'game/scene/gone.txt'), OLD['gone.txt']);
  return root;
}

/** Runs the writer in a process of its own; true when it was killed. */
async function runUntil(root: string, point?: number): Promise<{ killed: boolean; output: string }> {
  const options = { env: { ...process.env, NODE_COMPILE_CACHE: path.join(parent, 'cache') } };
  const args = [script, 'kill', home(), root, ...(point === undefined ? [] : [String(point)])];
  try {
    return { killed: false, output: (await run(process.execPath, args, options)).stdout };
  } catch (error) {
    if (error instanceof Error && 'signal' in error && error.signal === 'SIGKILL') return { killed: true, output: '' };
    throw error;
  }
}

async function readState(root: string): Promise<Record<string, string | null>> {
  const state: Record<string, string | null> = {};
  for (const name of Object.keys(OLD)) {
    state[name] = await readFile(path.join(root, 'game/scene', name), 'utf8').catch(() => null);
  }
  return state;
}

function openProject(root: string) {
  const folder = createAgentFolder(root);
  const snapshots = createSnapshotStore(folder);
  return {
    snapshots,
    writer: createWriter({ resolver: createPathResolver(root), folder, snapshots, seal: createJournalSeal(home()) }),
  };
}

async function check(root: string): Promise<'old' | 'new'> {
  const torn = await readState(root);
  for (const [name, text] of Object.entries(torn)) {
    expect([OLD[name as keyof typeof OLD], NEW[name as keyof typeof NEW]]).toContain(text);
  }

  const { snapshots, writer } = openProject(root);
  await writer.recover();
  const state = await readState(root);
  const outcome = state['one.txt'] === NEW['one.txt'] ? 'new' : 'old';
  expect(state).toEqual(outcome === 'new' ? NEW : OLD);
  const kept = await snapshots.list();
  const texts = await Promise.all(kept.map(async ({ id }) => (await snapshots.read(id)).text));
  // What was written can be taken back; what was not left nothing that a repeated call could be answered from.
  if (outcome === 'new') expect(texts).toEqual([OLD['gone.txt'], null, OLD['one.txt']]);
  expect(kept.filter((snapshot) => snapshot.idempotencyKey)).toHaveLength(outcome === 'new' ? 3 : 0);

  const again = openProject(root);
  const base = (text: string) => toVersion(Buffer.from(text));
  const written = await again.writer.apply(
    [
      { path: 'game/scene/one.txt', text: NEW['one.txt'], base: base(OLD['one.txt']) },
      { path: 'game/scene/chapter/two.txt', text: NEW['chapter/two.txt'], base: null },
      { path: 'game/scene/gone.txt', text: null, base: base(OLD['gone.txt']) },
    ],
    { origin: 'agent', group: 'turn', title: 'Three files', idempotencyKey: 'key' },
  );
  await again.writer.settle();
  expect(await readState(root)).toEqual(NEW);
  if (outcome === 'new') expect(written.map((one) => one.snapshotId)).toEqual(kept.map(({ id }) => id).reverse());
  const temps = path.join(root, 'game/scene');
  expect((await readdir(temps, { recursive: true })).sort()).toEqual(['chapter', 'chapter/two.txt', 'one.txt']);
  return outcome;
}

it.skipIf(process.platform === 'win32')(
  'a process killed anywhere in a transaction leaves all files old or all new, and the call can be repeated',
  async () => {
    const whole = await makeProject('whole');
    // Runs differ by a call or two (a read that came in one piece or in two), so the very last ones are left out.
    const calls = Number((await runUntil(whole)).output) - 4;
    expect(await readState(whole)).toEqual(NEW);
    expect(calls).toBeGreaterThan(100);

    // One point at random in each of as many equal stretches: other points on every run, and none left out for long.
    const points = Array.from({ length: POINTS }, (_, index) =>
      Math.min(calls, 1 + Math.floor(((index + Math.random()) * calls) / POINTS)),
    );
    const outcomes = { old: 0, new: 0 };
    const work = async (): Promise<void> => {
      for (let point = points.pop(); point !== undefined; point = points.pop()) {
        const root = await makeProject(`at-${point}-${points.length}`);
        expect((await runUntil(root, point)).killed, `at call ${point}`).toBe(true);
        outcomes[
          await check(root).catch((error: unknown) => {
            throw new Error(`killed at call ${point} of ${calls}`, { cause: error });
          })
        ] += 1;
      }
    };
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
    expect(outcomes.old).toBeGreaterThan(0);
    expect(outcomes.new).toBeGreaterThan(0);
    expect(outcomes.old + outcomes.new).toBe(POINTS);
  },
  60_000 + POINTS * 1000,
);

it('an error of the disk anywhere in a transaction leaves all files old or all new', async () => {
  const whole = await makeProject('counted');
  const calls = Number((await runUntil(whole)).output);
  const place = path.join(parent, 'failing');
  // Every third call, starting elsewhere on each run.
  const first = 1 + Math.floor(Math.random() * 3);
  const points = Array.from({ length: Math.floor((calls - first) / 3) + 1 }, (_, index) => first + index * 3);
  for (const point of points) await makeProject(`failing/${point}`);
  const { stdout } = await run(process.execPath, [script, 'fail', home(), place, points.join(',')]);
  const outcomes = stdout.trim().split('\n');
  expect(outcomes).toHaveLength(points.length);
  for (const line of outcomes) {
    const [point = '', outcome] = line.split(' ');
    const root = path.join(place, point);
    // What was reported is what happened: an error means that nothing did. No start in between may be needed for that.
    expect(['done', 'E_IO'], line).toContain(outcome);
    expect(await readState(root), line).toEqual(outcome === 'done' ? NEW : OLD);
    const readJournals = () => readdir(path.join(root, '.webgal_agent/journal')).catch(() => []);
    // Only what is left to do for a write that came about may wait for the next one.
    if (outcome !== 'done') expect(await readJournals(), line).toEqual([]);
    expect(await check(root), line).toBe(outcome === 'done' ? 'new' : 'old');
    expect(await readJournals(), line).toEqual([]);
  }
}, 60_000);
