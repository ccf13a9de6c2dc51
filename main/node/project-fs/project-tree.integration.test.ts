import { link, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolderWatches } from './folder-watches.ts';
import { createReader } from './project-files.ts';
import { createProjectTree, type ProjectTree } from './project-tree.ts';

let root: string;
let trees: ProjectTree[] = [];
const at = (file: string) => path.join(root, file);
const put = async (file: string, text: string) => {
  await mkdir(path.dirname(at(file)), { recursive: true });
  await writeFile(at(file), text);
};
const open = (options?: Parameters<typeof createProjectTree>[1]) => {
  const tree = createProjectTree(root, options);
  trees.push(tree);
  return tree;
};

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'tree-')));
  await put('game/scene/start.txt', ':a;');
  await put('game/scene/sub/二.txt', ':b;');
});
afterEach(async () => {
  for (const tree of trees) tree.close();
  trees = [];
  await rm(root, { recursive: true, force: true });
});

/** Simulates a system that reports changes late or never. */
const unreliable: typeof createFolderWatches = (top, events) => ({
  ...createFolderWatches(top, events),
  add: () => undefined,
  isComplete: async () => false,
  isReliable: () => true,
  notifyAtIntervals: (listener) => void setInterval(listener, 50).unref(),
});
const toPath = (one: { path: string }) => one.path;
const reporting = process.platform === 'linux' ? { watches: createFolderWatches } : { watches: unreliable };

type Step = readonly [kind: string, one: string, other: string];
const name = fc.constantFrom('a.txt', 'b.txt', 'c', 'd', 'caf\u0065\u0301.txt', 'q?.mp3', '.git');
const place = fc
  .array(fc.constantFrom('c', 'd'), { maxLength: 2 })
  .chain((folders) => name.map((last) => ['game', ...folders, last].join('/')));
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('write', 'write', 'write', 'make', 'remove', 'move', 'swap', 'link', 'second name'),
  place,
  place,
);

/** Simulates an action of another program; actions that are not possible are skipped. */
async function take([kind, one, other]: Step): Promise<void> {
  const work = {
    write: () => writeFile(at(one), other),
    make: () => mkdir(at(one), { recursive: true }),
    remove: () => rm(at(one), { recursive: true }),
    move: () => rename(at(one), at(other)),
    swap: async () => {
      await rename(at(one), at('game.old'));
      await mkdir(at(one));
      await writeFile(path.join(at(one), 'new.txt'), other);
      await rm(at('game.old'), { recursive: true });
    },
    link: () => symlink(path.basename(other), at(one)),
    'second name': () => link(at(one), at(other)),
  }[kind];
  await work?.().catch(() => undefined);
}

describe.each([
  ['where changes are reported', reporting],
  ['where changes are not reported', { watches: unreliable }],
])('a cached game %s', (_, options) => {
  it('equals the disk after any change by another program', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 6 }), async (rounds) => {
        await rm(at('game'), { recursive: true });
        await put('game/start.txt', 'x');
        const tree = open(options);
        const disk = createReader(root);
        const texts = new Map<string, string>();
        let now: number | null = null;
        for (const steps of rounds) {
          for (const one of steps) await take(one);
          const changes = await tree.changes(now);
          const listed = await tree.list('game', { recursive: true, unportable: true });
          const expected = await disk.list('game', { recursive: true, unportable: true });
          expect(changes === null).toBe(listed === null);
          if (changes === null || listed === null) {
            now = null;
            continue;
          }
          now = changes.now;
          expect(listed).toEqual(expected);
          for (const { path: changed, isFile } of changes.changes ?? []) {
            expect(isFile).toBe(expected.some((info) => info.path === changed && !info.isDirectory));
          }
          for (const changed of changes.changes?.map(toPath) ?? listed.map(toPath)) {
            const text = await readFile(at(changed), 'utf8').catch(() => null);
            if (text === null) texts.delete(changed);
            else texts.set(changed, text);
          }
          for (const info of listed) {
            if (info.isDirectory || info.path.includes('\u00e9')) continue;
            expect(texts.get(info.path)).toBe(await readFile(at(info.path), 'utf8'));
          }
        }
        tree.close();
      }),
      { numRuns: 60, interruptAfterTimeLimit: 30_000 },
    );
  }, 60_000);

  it('lists one folder, a part of it, and no name that a path cannot have', async () => {
    const tree = open(options);
    await put('game/scene/q?.txt', 'x');
    await put('game/scene2.txt', 'x');
    const list = async (folder: string, recursive: boolean, unportable = false) =>
      (await tree.list(folder, { recursive, unportable }))?.map((info) => info.path);
    expect(await list('game', false)).toEqual(['game/scene', 'game/scene2.txt']);
    const below = ['game/scene/start.txt', 'game/scene/sub', 'game/scene/sub/二.txt'];
    expect(await list('game/scene', true)).toEqual(below);
    expect(await list('game/scene', true, true)).toEqual(['game/scene/q?.txt', ...below]);
    expect(await list('game/none', true)).toBeUndefined();
  });

  it('detects a changed text of the same length', async () => {
    const tree = open(options);
    const first = await tree.changes(null);
    await put('game/scene/start.txt', ':b;');
    expect((await tree.changes(first?.now ?? 0))?.changes?.map(toPath)).toContain('game/scene/start.txt');
  });

  it('reports changes, debounced', async () => {
    const tree = open(options);
    const heard: string[] = [];
    tree.watch((paths) => heard.push(...paths));
    await tree.changes(null);
    await put('game/scene/new.txt', 'x');
    await expect.poll(() => heard).toContain('game/scene/new.txt');
  });
});

it('detects a changed text whose time was set back', async () => {
  const tree = open();
  const old = new Date(2020, 0, 1);
  await utimes(at('game/scene/start.txt'), old, old);
  const first = await tree.changes(null);
  await put('game/scene/start.txt', ':b;');
  await utimes(at('game/scene/start.txt'), old, old);
  expect((await tree.changes(first?.now ?? 0))?.changes?.map(toPath)).toEqual(['game/scene/start.txt']);
});

it('detects a folder that was replaced by a file', async () => {
  const tree = open();
  const { now } = (await tree.changes(null)) ?? { now: 0 };
  await rm(at('game/scene/sub'), { recursive: true });
  await put('game/scene/sub', ':b;');
  expect((await tree.changes(now))?.changes).toContainEqual({ path: 'game/scene/sub', isFile: true });
});

it('detects a text that is written through a hard link made later', async () => {
  const tree = open();
  await tree.changes(null);
  await link(at('game/scene/start.txt'), at('game/scene/sub/second.txt'));
  const { now } = (await tree.changes(null)) ?? { now: 0 };
  await writeFile(at('game/scene/sub/second.txt'), ':b;');
  expect((await tree.changes(now))?.changes?.map(toPath)).toEqual(
    expect.arrayContaining(['game/scene/start.txt', 'game/scene/sub/second.txt']),
  );
});

it.each(['game', 'game/scene'])(
  'detects that %s was replaced by another folder, whatever its inode number',
  async (folder) => {
    // Only the calls below may read the game: a report would do so at any time, also while there is no folder, and the tree then
    // leaves the game to the disk for seconds.
    const tree = open({ watches: (...args) => ({ ...createFolderWatches(...args), notifyLater: () => undefined }) });
    let { now } = (await tree.changes(null)) ?? { now: 0 };
    // File systems reuse the inode number that was freed last.
    for (let round = 0; round < 5; round += 1) {
      await rm(at(folder), { recursive: true });
      await put('game/scene/start.txt', 'x');
      ({ now } = (await tree.changes(now)) ?? { now: 0 });
      await put('game/scene/start.txt', `y${round}`);
      expect((await tree.changes(now))?.changes?.map(toPath)).toEqual(['game/scene/start.txt']);
      ({ now } = (await tree.changes(now)) ?? { now: 0 });
    }
  },
);

it('leaves listings to the disk where each would check every file', async () => {
  const looked: string[] = [];
  const tree = open({
    watches: (...args) => ({
      ...unreliable(...args),
      isReliable: () => false,
      add: (folder) => void looked.push(folder),
    }),
  });
  expect(await tree.list('game/scene', { recursive: false, unportable: false })).toBeNull();
  expect(looked).toEqual([]);
  expect(await tree.changes(null)).not.toBeNull();
});

it('reads no folder before the first call', async () => {
  const added: string[] = [];
  open({
    watches: (...args) => ({ ...createFolderWatches(...args), add: (folder) => void added.push(folder) }),
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(added).toEqual([]);
});

it('leaves a game with links to the disk until the links are gone', async () => {
  const tree = open();
  await symlink('start.txt', at('game/scene/linked.txt'));
  expect(await tree.changes(null)).toBeNull();
  await rm(at('game/scene/linked.txt'));
  expect(await tree.changes(null)).not.toBeNull();
});
