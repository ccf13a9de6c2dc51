import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPathQueue } from './path-queue.ts';

const never = new AbortController().signal;
const NAMES = ['a', 'A', 'b', 'c', 'd'];

test('runs calls that share a file in order and without overlap', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ paths: fc.subarray(NAMES), turns: fc.nat(3), fails: fc.boolean() }), { maxLength: 12 }),
      async (calls) => {
        const queue = createPathQueue();
        const at = new Set<string>();
        const done: number[] = [];
        const runs = calls.map(({ paths, turns, fails }, index) =>
          queue.runExclusive(paths, never, async () => {
            const keys = [...new Set(paths.map((path) => path.toLowerCase()))];
            for (const key of keys) {
              expect(at.has(key)).toBe(false);
              at.add(key);
            }
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            for (const key of keys) at.delete(key);
            done.push(index);
            if (fails) throw new Error('no');
            return index;
          }),
        );
        const results = await Promise.allSettled(runs);
        expect(results.map(({ status }) => status)).toEqual(
          calls.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
        );
        for (const key of ['a', 'b', 'c', 'd']) {
          const own = done.filter((index) => calls[index]?.paths.some((path) => path.toLowerCase() === key));
          expect(own).toEqual(own.toSorted((one, other) => one - other));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('skips an aborted call without changing the order of the others', async () => {
  const queue = createPathQueue();
  const stop = new AbortController();
  const order: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = queue.runExclusive(['a'], never, async () => {
    await held;
    order.push('first');
  });
  const second = queue.runExclusive(['a', 'b'], stop.signal, async () => void order.push('second'));
  const third = queue.runExclusive(['b'], never, async () => void order.push('third'));
  stop.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  expect(order).toEqual([]);
  release();
  await Promise.all([first, third]);
  expect(order).toEqual(['first', 'third']);
});
