import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { HistoryGroup } from '../../../shared/model/snapshot.ts';
import { WIRE_GLOBAL } from '../../../shared/wire.ts';

const toGroup = (id: string): HistoryGroup => ({ id, title: id, at: 0, origin: 'agent', isUndone: false, files: [] });

/** The requests that wait for an answer, oldest first. */
const waiting: ((ids: readonly string[]) => void)[] = [];
let store: typeof import('./history-store.ts');

beforeAll(async () => {
  // Another test of the worker may have loaded the client of the app with its own window.
  vi.resetModules();
  const call = () =>
    new Promise((resolve) => {
      waiting.push((ids) => resolve({ ok: true, value: { groups: ids.map(toGroup), total: ids.length } }));
    });
  vi.stubGlobal('window', { [WIRE_GLOBAL]: { call, on: () => () => {} } });
  store = await import('./history-store.ts');
});
afterAll(() => vi.unstubAllGlobals());

const isAsked = () => expect.poll(() => waiting.length).toBe(1);
const answer = (...ids: string[]) => waiting.shift()?.(ids);
const shown = () => store.historyStore.getState().groups?.map(({ id }) => id);

it('reads once more after a read during which it was asked, so that no older answer comes last', async () => {
  const first = store.refreshHistory();
  await isAsked();
  const second = store.refreshHistory();
  const third = store.refreshHistory();
  expect(waiting).toHaveLength(1);
  answer('old');
  await first;
  expect(shown()).toEqual(['old']);
  await isAsked();
  answer('new', 'old');
  await Promise.all([second, third]);
  expect({ shown: shown(), waiting: waiting.length }).toEqual({ shown: ['new', 'old'], waiting: 0 });
});
