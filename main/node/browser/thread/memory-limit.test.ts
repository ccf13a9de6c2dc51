import { expect, it } from 'vitest';
import { createMemoryLimit } from './memory-limit.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('counts all processes together, those that have ended as nothing', async () => {
  const sizes = new Map([
    [1, 40],
    [2, 60],
  ]);
  const isExceeded = createMemoryLimit({ list: async () => [1, 2, 3], read: (id) => sizes.get(id) ?? null }, 100);
  isExceeded();
  await settle();
  expect(isExceeded()).toBe(false);
  sizes.set(2, 61);
  expect(isExceeded()).toBe(true);
});

it('counts new processes with the next list', async () => {
  let ids = [1];
  const isExceeded = createMemoryLimit({ list: async () => ids, read: () => 60 }, 100);
  isExceeded();
  await settle();
  ids = [1, 2];
  expect(isExceeded()).toBe(false);
  await settle();
  expect(isExceeded()).toBe(true);
});

it('goes on with the last list while there is no answer, or a fault', async () => {
  const answers = [
    async () => [1],
    async () => Promise.reject(new Error('gone')),
    () => new Promise<number[]>(() => {}),
  ];
  let size = 0;
  let asked = 0;
  const list = () => answers[asked++]?.() ?? Promise.resolve([]);
  const isExceeded = createMemoryLimit({ list, read: () => size }, 100);
  for (let look = 0; look < 4; look += 1) {
    expect(isExceeded()).toBe(false);
    await settle();
  }
  size = 101;
  expect([isExceeded(), asked]).toEqual([true, 3]);
});
