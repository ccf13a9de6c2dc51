import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSnapshotIndex } from './snapshot-index.ts';
import { compareRecords, type RankedRecord } from './snapshot-record.ts';

const record = fc.record({
  id: fc.integer({ min: 0, max: 30 }).map((number) => `snap_20260101T000000_${number.toString(16).padStart(8, '0')}`),
  path: fc.constantFrom('a.txt', 'b.txt', 'sub/c.txt'),
  rank: fc.integer({ min: -2, max: 12 }),
  isOwn: fc.boolean(),
  origin: fc.constantFrom('agent' as const, 'writer' as const),
  key: fc.constantFrom(undefined, 'one', 'two'),
});
const toRecord = ({ key, ...rest }: { key: string | undefined } & Omit<RankedRecord, 'idempotencyKey'>) => ({
  ...rest,
  ...(key !== undefined && { idempotencyKey: key }),
});

it('gives the answers of a plain list after any additions and removals', () => {
  const step = fc.oneof(
    record.map((one) => ({ add: one, remove: null })),
    record.map((one) => ({ add: null, remove: one.id })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), (steps, retention) => {
      const index = createSnapshotIndex();
      const plain = new Map<string, RankedRecord>();
      for (const { add, remove } of steps) {
        if (add) {
          const rest = {
            contentHash: '00000000',
            existed: true,
            group: 'g',
            title: 't',
            after: null,
            bytes: 0,
            timestamp: 1,
          };
          const made = toRecord({ ...add, ...rest });
          index.add(made);
          plain.set(made.id, made);
        } else if (remove) {
          index.remove(remove);
          plain.delete(remove);
        }
      }
      const newest = [...plain.values()].sort(compareRecords);
      expect(index.list('', 100)).toEqual(newest);
      expect(index.list('sub/', 2)).toEqual(newest.filter(({ path }) => path.startsWith('sub/')).slice(0, 2));
      for (const path of ['a.txt', 'b.txt', 'none']) {
        const own = newest.filter((one) => one.path === path);
        expect(index.latest(path)).toEqual(own[0]);
        expect(index.latest(path, 'one')).toEqual(own.find((one) => one.isOwn && one.idempotencyKey === 'one'));
        const surplus = ['agent', 'writer'].flatMap((origin) =>
          [true, false].flatMap((isOwn) =>
            own.filter((one) => one.origin === origin && one.isOwn === isOwn).slice(retention),
          ),
        );
        expect(new Set(index.surplus(path, retention))).toEqual(new Set(surplus));
      }
    }),
  );
});
