import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { WIRE_GLOBAL } from '../../../shared/wire.ts';

/** The requests that wait for an answer, oldest first. */
const waiting: { method: string; answer: (value: object) => void }[] = [];
let store: typeof import('./checkpoint-store.ts');

beforeAll(async () => {
  const call = (method: string) =>
    new Promise((resolve) => {
      waiting.push({ method, answer: (value) => resolve({ ok: true, value }) });
    });
  vi.stubGlobal('window', { [WIRE_GLOBAL]: { call, on: () => () => {} } });
  // Another test file of this worker may have loaded the client already.
  vi.resetModules();
  store = await import('./checkpoint-store.ts');
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  waiting.length = 0;
  store.checkpointStore.setState(store.checkpointStore.getInitialState(), true);
});

const ask = (method: string, count: number) =>
  expect.poll(() => waiting.filter((each) => each.method === method).length, { timeout: 10_000 }).toBe(count);

const toComparison = (total: number) => ({ files: [], total });

it('keeps the newest comparison when the answer to an older one comes last', async () => {
  const first = store.selectCheckpoint('a');
  const second = store.compare();
  await ask('checkpoints.compare', 2);
  const [older, newer] = waiting;
  newer?.answer(toComparison(2));
  await second;
  older?.answer(toComparison(1));
  await first;
  expect(store.checkpointStore.getState().comparison?.total).toBe(2);
});

it('keeps the newest list when the answer to an older request comes last', async () => {
  const usage = { bytes: 0, limit: 1 };
  const first = store.loadCheckpoints();
  await ask('checkpoints.list', 1);
  const second = store.loadCheckpoints();
  await ask('checkpoints.list', 2);
  const [older, newer] = waiting;
  newer?.answer({ checkpoints: [], damaged: 2 });
  await ask('checkpoints.usage', 1);
  waiting.at(-1)?.answer(usage);
  await second;
  older?.answer({ checkpoints: [], damaged: 1 });
  await ask('checkpoints.usage', 2);
  waiting.at(-1)?.answer(usage);
  await first;
  expect(store.checkpointStore.getState().damaged).toBe(2);
});
