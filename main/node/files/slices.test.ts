import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { settleInSlices } from './slices.ts';

it('settles all in order, also after a failure', async () => {
  const results = await settleInSlices([3, 1, 2], async (count) => {
    await sleep(count);
    if (count === 1) throw new Error('one');
    return count;
  });
  expect(results).toMatchObject([
    { status: 'fulfilled', value: 3 },
    { status: 'rejected', reason: { message: 'one' } },
    { status: 'fulfilled', value: 2 },
  ]);
});

it('yields the event loop between slices of blocking work', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  await settleInSlices(Array.from({ length: 40 }), async () => {
    const until = performance.now() + 3;
    while (performance.now() < until);
  });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});
