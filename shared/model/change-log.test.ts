import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChangeLog } from './change-log.ts';

it('returns the paths changed since any earlier state, and null after it was cleared', () => {
  const step = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.constant(null));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const log = new ChangeLog();
      const states = [{ now: log.now, at: 0 }];
      for (const [at, path] of steps.entries()) {
        if (path === null) log.forget();
        else log.add(path);
        states.push({ now: log.now, at: at + 1 });
      }
      for (const { now, at } of states) {
        const after = steps.slice(at);
        const expected = after.includes(null) ? null : new Set(after);
        const found = log.since(now);
        expect(found && new Set(found)).toEqual(expected);
        expect(found?.length).toBe(expected?.size);
      }
    }),
  );
});

it('keeps the last ten thousand changes', () => {
  const log = new ChangeLog();
  for (let count = 0; count < 35_000; count += 1) log.add(`${count}`);
  expect(log.since(35_000 - 10_000)).toHaveLength(10_000);
  expect(log.since(0)).toBeNull();
});
