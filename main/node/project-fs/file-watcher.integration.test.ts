import { watch } from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileWatcher } from './file-watcher.ts';

let root = '';
let reported: string[] = [];
let watcher: ReturnType<typeof createFileWatcher> | undefined;

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'watch-')));
  for (const folder of ['game/scene', '.git', '.webgal_agent', 'node_modules'])
    await mkdir(path.join(root, folder), { recursive: true });
  await writeFile(path.join(root, 'game/scene/start.txt'), 'a');
  reported = [];
});
afterEach(async () => {
  await watcher?.close();
  await rm(root, { recursive: true, force: true });
});

async function watchProject(visible?: string[]): Promise<string[][]> {
  const batches: string[][] = [];
  watcher = createFileWatcher(root, {
    ...(visible && { visible }),
    onPaths: (paths) => {
      batches.push(paths);
      reported.push(...paths);
    },
  });
  await watcher.ready;
  return batches;
}

it('reports created, changed, replaced and removed files, and none with a forbidden name', async () => {
  const batches = await watchProject();
  const put = (file: string) => writeFile(path.join(root, file), `${Math.random()}`);
  for (const file of ['.git/HEAD', '.webgal_agent/audit.jsonl', 'node_modules/x.js', '.env']) await put(file);
  await put('game/scene/new.txt');
  await put('game/scene/start.txt');
  await mkdir(path.join(root, 'game/bgm/deep'), { recursive: true });
  await put('game/bgm/deep/雨.ogg');
  await expect
    .poll(() => reported)
    .toEqual(expect.arrayContaining(['game/bgm/deep/雨.ogg', 'game/scene/new.txt', 'game/scene/start.txt']));
  // Debounced: a burst does not send one message per file.
  expect(batches.length).toBeLessThan(4);
  reported = [];
  await put('temp.txt');
  await rename(path.join(root, 'temp.txt'), path.join(root, 'game/scene/start.txt'));
  await unlink(path.join(root, 'game/scene/new.txt'));
  await expect.poll(() => reported).toEqual(expect.arrayContaining(['game/scene/new.txt', 'game/scene/start.txt']));
  expect(reported.filter((file) => /^\.|node_modules/.test(file))).toEqual([]);
});

it('watches only visible names, follows no link, and reports no change after close', async () => {
  await symlink(tmpdir(), path.join(root, 'game/out'));
  await watchProject(['game']);
  await writeFile(path.join(root, 'diary.txt'), 'x');
  await writeFile(path.join(root, 'game/config.txt'), 'x');
  await expect.poll(() => reported).toContain('game/config.txt');
  expect(reported).not.toContain('diary.txt');
  await watcher?.close();
  reported = [];
  await writeFile(path.join(root, 'game/config.txt'), 'y');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(reported).toEqual([]);
});

it.each([
  ['removed', (folder: string) => rm(folder, { recursive: true })],
  ['moved away', (folder: string) => rename(folder, path.join(root, 'aside'))],
])('reports files in a folder that was %s and created again', async (_how, takeAway) => {
  await watchProject(['game', 'story-bible.md']);
  for (const folder of ['game/scene', 'game']) {
    await rm(path.join(root, 'aside'), { recursive: true, force: true });
    reported = [];
    await takeAway(path.join(root, folder));
    await mkdir(path.join(root, 'game/scene'), { recursive: true });
    await writeFile(path.join(root, 'game/scene/other.txt'), folder);
    await expect.poll(() => reported).toContain('game/scene/other.txt');
    await new Promise((resolve) => setTimeout(resolve, 300));
    reported = [];
    await writeFile(path.join(root, `game/scene/${folder.length}.txt`), 'later');
    await expect.poll(() => reported).toContain(`game/scene/${folder.length}.txt`);
  }
});

it.each(['ENOSPC', 'EMFILE'])(
  'scans the folder at intervals where the system has no watches left (%s)',
  async (code) => {
    let made = 0;
    let told = 0;
    watcher = createFileWatcher(root, {
      onPaths: (paths) => void reported.push(...paths),
      onPolling: () => {
        told += 1;
      },
      pollMs: 20,
      watch: ((...request: Parameters<typeof watch>) => {
        made += 1;
        const one = watch(...request);
        const fail = () => one.emit('error', Object.assign(new Error('none left'), { code }));
        setImmediate(() => [fail(), fail()]);
        return one;
      }) as typeof watch,
    });
    await watcher.ready;
    await expect.poll(() => told).toBe(1);
    const before = made;
    await writeFile(path.join(root, 'game/scene/start.txt'), 'changed and longer');
    await expect.poll(() => reported).toContain('game/scene/start.txt');
    expect([told, made]).toEqual([1, before]);
  },
);

it('watches the upper levels when there are too many folders, and reports that', async () => {
  await mkdir(path.join(root, 'game/stray/deep/deeper'), { recursive: true });
  for (let index = 0; index < 40; index += 1) await writeFile(path.join(root, `game/stray/deep/${index}`), '');
  let told = 0;
  watcher = createFileWatcher(root, {
    onPaths: (paths) => void reported.push(...paths),
    onLeftOut: () => {
      told += 1;
    },
    limits: { folders: 10, names: 20 },
  });
  await watcher.ready;
  expect(told).toBe(1);
  await writeFile(path.join(root, 'game/scene/start.txt'), 'changed');
  await expect.poll(() => reported).toContain('game/scene/start.txt');
});

it('reports everything in a folder that was moved away', async () => {
  await mkdir(path.join(root, 'game/scene/sub/deep'), { recursive: true });
  await writeFile(path.join(root, 'game/scene/sub/deep/a.txt'), 'x');
  await watchProject();
  await rename(path.join(root, 'game/scene/sub'), path.join(root, 'moved'));
  const expected = ['game/scene/sub', 'game/scene/sub/deep/a.txt', 'moved', 'moved/deep/a.txt'];
  await expect.poll(() => reported).toEqual(expect.arrayContaining(expected));
});
