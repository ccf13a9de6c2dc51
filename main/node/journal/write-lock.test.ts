import { mkdir, mkdtemp, readdir, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { LOCK_FILE } from './lock-holder.ts';
import { createWriteLock } from './write-lock.ts';

let root: string;
let place: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'lock-')));
  await mkdir(path.join(root, '.webgal_agent'));
  place = path.join(root, '.webgal_agent', LOCK_FILE);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const create = () => createWriteLock(createAgentFolder(root));
const left = async () => (await readdir(path.join(root, '.webgal_agent'))).filter((name) => name.startsWith(LOCK_FILE));
const dead = JSON.stringify({ pid: 999_999_999, host: hostname(), start: null });

it('runs one section at a time, across callers', async () => {
  const locks = [create(), create(), create()];
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
  expect(await left()).toEqual([]);
  expect(await readdir(path.join(root, '.webgal_agent/tmp'))).toEqual([]);
});

it('is released when the section fails', async () => {
  const lock = create();
  await expect(lock.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await lock.run(async () => 'done')).toBe('done');
});

it.each<[string, () => Promise<unknown>]>([
  ['a process that is gone', () => writeFile(place, dead)],
  [
    'another process that reuses the number of one that is gone',
    () => writeFile(place, JSON.stringify({ pid: process.pid, host: hostname(), start: 'earlier' })),
  ],
  ['an unreadable file', () => writeFile(place, 'x'.repeat(100_000))],
  ['a link', () => symlink('/nowhere', place)],
  ['a folder', () => mkdir(place)],
])(
  'is taken over from %s by one of the waiting callers',
  async (_, lay) => {
    await lay();
    let inside = 0;
    let most = 0;
    const section = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inside -= 1;
    };
    await Promise.all([create(), create(), create()].map((lock) => lock.run(section)));
    expect(most).toBe(1);
    expect(await left()).toEqual([]);
  },
  90_000,
);

it('is taken over although another process died during a takeover', async () => {
  await writeFile(place, dead);
  await writeFile(`${place}.takeover`, dead);
  expect(await create().run(async () => 'done')).toBe('done');
  expect(await left()).toEqual([]);
});

it('is not released by a holder that was replaced', async () => {
  const lock = create();
  await lock.run(async () => {
    await rm(place);
    await writeFile(place, dead);
    await utimes(place, 1, 1);
  });
  expect(await left()).toEqual([LOCK_FILE]);
});

it('works after its folder was removed', async () => {
  const lock = create();
  await lock.run(async () => undefined);
  await rm(path.join(root, '.webgal_agent'), { recursive: true });
  expect(await lock.run(async () => 'done')).toBe('done');
});
