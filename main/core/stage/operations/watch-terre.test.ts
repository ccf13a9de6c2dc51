import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStageMemory, type StageMemory, type StagePorts } from './stage-memory.ts';
import { watchTerre } from './watch-terre.ts';

let sent: string[];
let stage: StageMemory;
let hasGame: () => Promise<boolean>;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  hasGame = async () => false;
  const show = () => Promise.reject(new Error('Nothing is shown here.'));
  const ports = {
    emit: (event: string, payload: { reason?: string; isInTerre?: boolean }) =>
      sent.push(`${event} ${payload.reason ?? payload.isInTerre}`),
    terre: { terre: { hasGame: () => hasGame(), show }, isPreferred: async () => false },
  };
  // Nothing is read or played here.
  stage = createStageMemory(ports as unknown as StagePorts, async () => undefined);
  watchTerre(stage);
});
afterEach(() => {
  stage.isDisposed = true;
  stage.timers.clearAll();
  vi.useRealTimers();
});
const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

it('warns once of a Terre that comes later, and follows whether it has the game', async () => {
  await wait(60);
  expect(sent).toEqual([]);
  hasGame = async () => true;
  await wait(21);
  expect(sent).toEqual(['stage.changed true', 'app.noticed terre.alsoOpen']);
  await wait(60);
  hasGame = () => Promise.reject(new Error('It died.'));
  await wait(21);
  hasGame = async () => true;
  await wait(60);
  expect(sent.slice(2)).toEqual(['stage.changed false', 'stage.changed true']);
});

it('asks no more once the game is closed, and not twice at a time', async () => {
  let asked = 0;
  let answer: (has: boolean) => void = () => undefined;
  hasGame = () => {
    asked += 1;
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  await wait(320);
  expect(asked).toBe(1);
  answer(false);
  await wait(21);
  expect(asked).toBe(2);
  stage.isDisposed = true;
  answer(true);
  await wait(300);
  expect([asked, sent]).toEqual([2, []]);
});
