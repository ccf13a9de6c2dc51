import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ProgramFile } from '../../ports/workspace.ts';
import { KEEP_AFTER_MS, openBuffers } from './open-buffers.ts';

const SCENE = 'game/scene/start.txt';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let isDiskFull: boolean;
let isLeft: boolean;
let faults: unknown[];
beforeEach(() => {
  [isDiskFull, isLeft, faults] = [false, false, []];
});

async function start(stored: unknown = null, others: unknown[] = []) {
  const writes: unknown[] = [];
  const file: ProgramFile = {
    read: async () => stored,
    async write(value) {
      writes.push(value);
      if (isDiskFull) throw new Error('The disk is full.');
    },
    async leave() {
      isLeft = true;
    },
    async takeOthers(takeOver) {
      for (const [at, value] of others.entries()) others[at] = await takeOver(value);
    },
  };
  const opened = await openBuffers(file, ({ error }) => void faults.push(error));
  opened.bases.remember('v1', 'before');
  return { ...opened, writes };
}

it('stores a text that is not saved for a while, its later changes, and removes it once it is saved', async () => {
  const { buffers, writes } = await start();
  buffers.set(SCENE, 'a', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(KEEP_AFTER_MS - 1);
  buffers.set(SCENE, 'ab', { version: 'v1' });
  expect(writes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toEqual([[{ path: SCENE, text: 'ab', version: 'v1', base: 'before' }]]);
  buffers.set(SCENE, 'abc', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(10 * KEEP_AFTER_MS);
  expect(writes.slice(1)).toEqual([[{ path: SCENE, text: 'abc', version: 'v1', base: 'before' }]]);
  buffers.set(SCENE, null);
  expect(writes.slice(2)).toEqual([null]);
});

it('stores nothing while each change is saved soon, however long the user types', async () => {
  const { buffers, writes } = await start();
  for (let save = 0; save < 10; save += 1) {
    for (let key = 0; key < 10; key += 1) {
      buffers.set(SCENE, `${save} ${key}`, { version: `v${save}` });
      await vi.advanceTimersByTimeAsync(200);
    }
  }
  expect(writes).toEqual([]);
});

it('stores the text of one file while another is saved', async () => {
  const { buffers, writes } = await start();
  buffers.set(SCENE, 'mine', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(2_000);
  buffers.set('game/scene/two.txt', 'typed', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(1_500);
  buffers.set('game/scene/two.txt', null);
  await vi.advanceTimersByTimeAsync(10 * KEEP_AFTER_MS);
  expect(new Set(writes.map((write) => JSON.stringify(write)))).toEqual(
    new Set([JSON.stringify([{ path: SCENE, text: 'mine', version: 'v1', base: 'before' }])]),
  );
});

it('keeps a text stored that is merged with the file of the disk, as long as it is unsaved', async () => {
  const { buffers, bases, writes } = await start();
  buffers.set(SCENE, 'mine', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(2 * KEEP_AFTER_MS);
  buffers.set(SCENE, 'mine!', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(2_000);
  bases.remember('v2', 'theirs');
  buffers.set(SCENE, 'mine and theirs', { version: 'v2' });
  await vi.advanceTimersByTimeAsync(2 * KEEP_AFTER_MS);
  expect(writes).toEqual([
    [{ path: SCENE, text: 'mine', version: 'v1', base: 'before' }],
    [{ path: SCENE, text: 'mine and theirs', version: 'v2', base: 'theirs' }],
  ]);
});

it('stores what an unsaved text was made from, however many files were read since', async () => {
  const { buffers, bases, writes } = await start();
  buffers.set(SCENE, 'mine', { version: 'v1' });
  for (let at = 0; at < 100; at += 1) bases.remember(`other ${at}`, 'text');
  await vi.advanceTimersByTimeAsync(KEEP_AFTER_MS);
  expect(writes).toEqual([[{ path: SCENE, text: 'mine', version: 'v1', base: 'before' }]]);
});

it('takes over what a program that was killed has left, and removes it once it is saved', async () => {
  const left = { path: SCENE, text: 'typed', version: 'v7' };
  const { buffers, bases, writes } = await start([{ ...left, base: 'before it' }]);
  expect([buffers.unsaved(), bases.find('v7')]).toEqual([[left], 'before it']);
  buffers.set(SCENE, null);
  expect(writes).toEqual([null]);
});

it('takes over what several programs have left, and leaves a second text of a file for a later start', async () => {
  const left = (path: string, text: string) => ({ path, text, version: 'v7', base: 'before it' });
  const [TWO, THREE] = ['game/scene/two.txt', 'game/scene/three.txt'];
  const damaged = { text: 'cut' };
  const others: unknown[] = [
    [left(SCENE, 'another'), left(TWO, 'second')],
    damaged,
    [left(SCENE, 'typed')],
    [left(TWO, 'no')],
    [left(THREE, '3')],
  ];
  const { buffers, writes } = await start([left(SCENE, 'typed')], others);
  expect(buffers.unsaved().map(({ path, text }) => [path, text])).toEqual([
    [SCENE, 'typed'],
    [TWO, 'second'],
    [THREE, '3'],
  ]);
  expect(others).toEqual([[left(SCENE, 'another')], damaged, null, [left(TWO, 'no')], null]);
  expect(writes.at(-1)).toEqual([left(SCENE, 'typed'), left(TWO, 'second'), left(THREE, '3')]);
});

it.each(['damaged', [{ path: 1 }]])('leaves %j as it is, and takes over what others have left', async (stored) => {
  const left = { path: SCENE, text: 'typed', version: 'v7', base: null };
  const { buffers } = await start(stored, [[left]]);
  expect([buffers.unsaved().map(({ text }) => text), isLeft]).toEqual([['typed'], true]);
  expect(faults).toMatchObject([{ code: 'E_PARSE_FAIL' }]);
});

it('starts without a text where nothing is stored', async () => {
  const { buffers } = await start();
  expect([buffers.unsaved(), isLeft, faults]).toEqual([[], false, []]);
});

it('stores a text again that could not be stored, and reports that once', async () => {
  const { buffers, writes } = await start();
  isDiskFull = true;
  buffers.set(SCENE, 'a', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(3 * KEEP_AFTER_MS);
  expect([writes.length, faults.length]).toEqual([3, 1]);
  isDiskFull = false;
  await vi.advanceTimersByTimeAsync(10 * KEEP_AFTER_MS);
  expect([writes.length, writes.at(-1)]).toEqual([4, [{ path: SCENE, text: 'a', version: 'v1', base: 'before' }]]);
  expect(faults).toHaveLength(1);
});

it('removes again what could not be removed once it was saved', async () => {
  const { buffers, writes } = await start();
  buffers.set(SCENE, 'a', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(KEEP_AFTER_MS);
  isDiskFull = true;
  buffers.set(SCENE, null);
  await vi.advanceTimersByTimeAsync(KEEP_AFTER_MS);
  isDiskFull = false;
  await vi.advanceTimersByTimeAsync(10 * KEEP_AFTER_MS);
  expect(writes.slice(1)).toEqual([null, null, null]);
});

it('removes once more at the end what could not be removed once it was saved', async () => {
  const { buffers, stopKeeping, writes } = await start();
  buffers.set(SCENE, 'a', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(KEEP_AFTER_MS);
  isDiskFull = true;
  buffers.set(SCENE, null);
  await vi.advanceTimersByTimeAsync(1);
  isDiskFull = false;
  stopKeeping();
  expect(writes.slice(1)).toEqual([null, null]);
});

it('stores what is unsaved when the game is closed, and nothing afterwards', async () => {
  const { buffers, stopKeeping, writes } = await start();
  buffers.set(SCENE, 'a', { version: 'v1' });
  stopKeeping();
  buffers.set(SCENE, 'b', { version: 'v1' });
  await vi.advanceTimersByTimeAsync(2 * KEEP_AFTER_MS);
  expect(writes).toEqual([[{ path: SCENE, text: 'a', version: 'v1', base: 'before' }]]);
});

it('stores nothing when a game without unsaved text is closed', async () => {
  const { buffers, stopKeeping, writes } = await start();
  buffers.set(SCENE, 'a', { version: 'v1' });
  buffers.set(SCENE, null);
  stopKeeping();
  expect(writes).toEqual([]);
});
