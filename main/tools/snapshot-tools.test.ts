import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { listSnapshots } from './list-snapshots.ts';
import { restoreSnapshot } from './restore-snapshot.ts';

let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createProjectFolder({ 'game/scene/a.txt': 'before' });
  bench = createToolBench([listSnapshots, restoreSnapshot], { snapshots: game.snapshots });
});
afterEach(() => game.dispose());

async function write(path: string, text: string): Promise<string> {
  const base = (await game.reader.stat(path)) === null ? null : (await game.reader.read(path)).version;
  const label = { origin: 'agent' as const, group: 'g', title: 't' };
  const [written] = await game.writer.apply([{ path, text, base }], label);
  return written?.snapshotId ?? '';
}

async function ids(input: unknown): Promise<string[]> {
  const value = (await bench.value('list_snapshots', input)) as { snapshots: { id: string }[] };
  return value.snapshots.map((snapshot) => snapshot.id);
}

test('lists snapshots newest first, with the fields of the contract only', async () => {
  expect(await bench.value('list_snapshots', {})).toEqual({ snapshots: [] });
  const first = await write('game/scene/a.txt', 'one');
  const second = await write('game/scene/a.txt', 'two');
  expect(await ids({})).toEqual([second, first]);
  expect(await bench.value('list_snapshots', { limit: 1 })).toEqual({
    snapshots: [
      {
        id: second,
        path: 'game/scene/a.txt',
        timestamp: expect.any(Number),
        contentHash: expect.stringMatching(/^[0-9a-f]{8}$/),
      },
    ],
  });
});

test('filters by the start of the path before limiting the count', async () => {
  const a = await write('game/scene/a.txt', 'x');
  const b = await write('game/scene/b.txt', 'x');
  const c = await write('game/x.json', 'x');
  expect(await ids({ path: 'game/scene' })).toEqual([b, a]);
  expect(await ids({ path: 'game/scene', limit: 1 })).toEqual([b]);
  expect(await ids({ limit: -10 })).toEqual([c, b, a]);
  expect(await ids({ limit: 5000.7 })).toEqual([c, b, a]);
  expect(await ids({ limit: 0 })).toEqual([]);
  expect(await bench.code('list_snapshots', { limit: 'invalid' })).toBe('E_BAD_ARGS');
  expect(await bench.code('list_snapshots', { path: 123 })).toBe('E_BAD_ARGS');
});

test('returns the text before the write', async () => {
  const id = await write('game/scene/a.txt', 'after');
  expect(await bench.value('restore_snapshot', { snapshotId: id })).toEqual({
    path: 'game/scene/a.txt',
    content: 'before',
  });
  const created = await write('game/scene/new.txt', 'x');
  expect(await bench.value('restore_snapshot', { snapshotId: created })).toEqual({
    path: 'game/scene/new.txt',
    content: '',
    existed: false,
  });
});

test.each([
  [{ snapshotId: '' }, 'E_BAD_ARGS'],
  [{ snapshotId: 'invalid-format' }, 'E_BAD_ARGS'],
  [{ snapshotId: '../../etc/passwd' }, 'E_BAD_ARGS'],
  [{ snapshotId: 'snap_20231201T120000_abcd1234' }, 'E_NOT_FOUND'],
])('refuses %j with %s', async (input, code) => {
  expect(await bench.code('restore_snapshot', input)).toBe(code);
});
