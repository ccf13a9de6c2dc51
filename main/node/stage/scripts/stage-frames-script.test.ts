import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { FRAMES } from './stage-frames-script.ts';

/** Creates a page with a fake clock; `frame` runs the browser's frames, each of which takes `cost` ms, and `pass` the timeouts. */
function openPage() {
  const browser = new Map<number, (time: number) => void>();
  const timeouts: { act: () => void; delay: number }[] = [];
  let last = 0;
  let now = 0;
  const page = {
    performance: { now: () => now },
    requestAnimationFrame: (callback: (time: number) => void): number => {
      last += 1;
      browser.set(last, callback);
      return last;
    },
    cancelAnimationFrame: (id: number) => void browser.delete(id),
    setTimeout: (act: () => void, delay: number) => void timeouts.push({ act, delay }),
    holdFrames:
      (_isOrder?: boolean): (() => void) =>
      () =>
        undefined,
  };
  runInNewContext(`${FRAMES}; globalThis.holdFrames = holdFrames;`, page);
  return {
    page,
    waiting: () => browser.size,
    timeouts,
    frame(cost: number) {
      const due = [...browser.values()];
      browser.clear();
      for (const run of due) run(now);
      now += cost;
    },
    pass: () => {
      for (const { act } of timeouts.splice(0)) act();
    },
  };
}

function startLoop(page: ReturnType<typeof openPage>['page']) {
  const loop = { frames: 0 };
  const tick = (): void => {
    loop.frames += 1;
    page.requestAnimationFrame(tick);
  };
  page.requestAnimationFrame(tick);
  return loop;
}

it('asks for no frames while they are held, and for those that wait after the last hold', () => {
  const { page, waiting, frame } = openPage();
  const loop = startLoop(page);
  frame(1);
  const [one, two] = [page.holdFrames(), page.holdFrames()];
  expect(waiting()).toBe(0);
  page.requestAnimationFrame(() => undefined);
  one();
  one();
  expect(waiting()).toBe(0);
  two();
  expect(waiting()).toBe(2);
  frame(1);
  expect(loop.frames).toBe(2);
});

it('rests only shortly after a slow frame where the user alone moves the story', () => {
  const { page, frame, pass, timeouts } = openPage();
  startLoop(page);
  frame(800);
  pass();
  expect(timeouts.map(({ delay }) => delay)).toEqual([50]);
  pass();
  page.holdFrames(true)();
  frame(800);
  pass();
  expect(timeouts.map(({ delay }) => delay)).toEqual([2_400]);
  pass();
  // Ten seconds after the last order.
  frame(9_000);
  pass();
  pass();
  frame(800);
  pass();
  expect(timeouts.map(({ delay }) => delay)).toEqual([50]);
});

it('rests after a slow frame while orders come, the longer the slower, within a limit', () => {
  const { page, waiting, frame, pass, timeouts } = openPage();
  startLoop(page);
  page.holdFrames(true)();
  for (const [cost, rest] of [
    [100, 100],
    [400, 800],
    [800, 2_400],
    [9_000, 3_000],
  ] as const) {
    page.holdFrames(true)();
    frame(cost);
    pass();
    expect([waiting(), timeouts.map(({ delay }) => delay)]).toEqual([0, [rest]]);
    pass();
    expect(waiting()).toBe(1);
  }
  frame(10);
  pass();
  expect([waiting(), timeouts]).toEqual([1, []]);
});

it('cancels frames by the id that the page has, also while they wait', () => {
  const { page, waiting, frame } = openPage();
  let ran = 0;
  const release = page.holdFrames();
  const id = page.requestAnimationFrame(() => (ran += 1));
  page.cancelAnimationFrame(id);
  release();
  page.cancelAnimationFrame(page.requestAnimationFrame(() => (ran += 1)));
  expect(waiting()).toBe(0);
  frame(1);
  expect(ran).toBe(0);
});
