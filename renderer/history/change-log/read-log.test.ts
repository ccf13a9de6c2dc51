import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { WIRE_GLOBAL } from '../../../shared/wire.ts';

/** The ids in the log, newest first. */
let log: string[] = [];
let readLog: typeof import('./read-log.ts').readLog;

beforeAll(async () => {
  // Another test may have loaded the client of the app with its own window.
  vi.resetModules();
  const call = async (_: string, { skip, limit }: { skip: number; limit: number }) => {
    const entries = log.slice(skip, skip + limit).map((id) => ({ id }));
    return { ok: true, value: { entries, total: log.length, setAside: [], unwritten: 0 } };
  };
  vi.stubGlobal('window', { [WIRE_GLOBAL]: { call, on: () => () => {} } });
  ({ readLog } = await import('./read-log.ts'));
});
afterAll(() => vi.unstubAllGlobals());

const toIds = ({ entries }: Awaited<ReturnType<typeof readLog>>) => entries.map(({ id }) => id);

it('lists no entry twice when a change is written between two pages', async () => {
  log = Array.from({ length: 150 }, (_, index) => `t${150 - index}`);
  const expected = [...log];
  const firsts: number[] = [];
  const page = await readLog(
    {},
    (first) => {
      firsts.push(first.entries.length);
      log = ['t151', ...log];
    },
    () => true,
  );
  expect({ ids: toIds(page), firsts }).toEqual({ ids: expected, firsts: [100] });
});

it('passes on no first page if it is the only one', async () => {
  log = ['b', 'a'];
  const onFirst = vi.fn();
  expect(toIds(await readLog({}, onFirst, () => true))).toEqual(['b', 'a']);
  expect(onFirst).not.toHaveBeenCalled();
});
