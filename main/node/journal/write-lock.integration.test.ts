import { mkdir, mkdtemp, readdir, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { LOCK_FILE } from './lock-holder.ts';
import { createWriteLock } from './write-lock.ts';

const parents: string[] = [];
afterAll(() => Promise.all(parents.map((parent) => rm(parent, { recursive: true, force: true }))));

/** Returns a new game's folder and the path of its lock. */
async function createGame(): Promise<{ root: string; place: string }> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'lock-')));
  parents.push(root);
  await mkdir(path.join(root, '.webgal_agent'));
  return { root, place: path.join(root, '.webgal_agent', LOCK_FILE) };
}

const create = (root: string) => createWriteLock(createAgentFolder(root));
const findLocks = async (root: string) =>
  (await readdir(path.join(root, '.webgal_agent'))).filter((name) => name.startsWith(LOCK_FILE));
const dead = JSON.stringify({ pid: 999_999_999, host: hostname(), start: null });

it('runs one section at a time, across callers', async () => {
  const { root } = await createGame();
  const locks = [create(root), create(root), create(root)];
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      locks[index % 3]?.run(async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 2));
        inside -= 1;
      }),
    ),
  );
  expect(most).toBe(1);
  await Promise.all(locks.map((lock) => lock.close()));
  expect(await findLocks(root)).toEqual([]);
  expect(await readdir(path.join(root, '.webgal_agent/tmp'))).toEqual([]);
});

it('is released when the section fails', async () => {
  const { root } = await createGame();
  const lock = create(root);
  await expect(lock.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await lock.run(async () => 'done')).toBe('done');
});

// Concurrent: the lock waits for seconds before it takes over from a holder that cannot be read.
it.concurrent.each<[string, (place: string) => Promise<unknown>]>([
  ['a process that is gone', (place) => writeFile(place, dead)],
  [
    'another process that reuses the number of one that is gone',
    (place) => writeFile(place, JSON.stringify({ pid: process.pid, host: hostname(), start: 'earlier' })),
  ],
  ['an unreadable file', (place) => writeFile(place, 'x'.repeat(100_000))],
  ['a link', (place) => symlink('/nowhere', place)],
  ['a folder', (place) => mkdir(place)],
])(
  'is taken over from %s by one of the waiting callers',
  async (_, lay) => {
    const { root, place } = await createGame();
    await lay(place);
    let inside = 0;
    let most = 0;
    const section = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inside -= 1;
    };
    await Promise.all([create(root), create(root), create(root)].map((lock) => lock.run(section)));
    expect(most).toBe(1);
    expect(await findLocks(root)).toEqual([]);
  },
  90_000,
);

it('is taken over although another process died during a takeover', async () => {
  const { place, root } = await createGame();
  await writeFile(place, dead);
  await writeFile(`${place}.takeover`, dead);
  expect(await create(root).run(async () => 'done')).toBe('done');
  expect(await findLocks(root)).toEqual([]);
});

it('is not released by a holder that was replaced', async () => {
  const { place, root } = await createGame();
  const lock = create(root);
  await lock.run(async () => {
    await rm(place);
    await writeFile(place, dead);
    await utimes(place, 1, 1);
  });
  expect(await findLocks(root)).toEqual([LOCK_FILE]);
});

it('works after its folder was removed', async () => {
  const { root } = await createGame();
  const lock = create(root);
  await lock.run(async () => undefined);
  await rm(path.join(root, '.webgal_agent'), { recursive: true });
  expect(await lock.run(async () => 'done')).toBe('done');
});
