import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { INTERVAL_SCRIPT } from './stage-interval-script.ts';

/** Creates a page with a fake clock; `see` shows or hides it, `pass` fires every running interval a number of times. */
function openPage({ hidden = false } = {}) {
  const running = new Map<number, () => void>();
  const document = { hidden };
  let last = 0;
  const listeners = new Map<string, (event: object) => void>();
  const parent = {};
  const clear = (id: number) => void running.delete(id);
  const page = {
    document,
    setInterval: (act: (...values: unknown[]) => void, _delay?: number, ...values: unknown[]) => {
      last += 1;
      running.set(last, () => act(...values));
      return last;
    },
    clearInterval: clear,
    clearTimeout: clear,
    parent,
    addEventListener: (name: string, listener: () => void) => void listeners.set(name, listener),
  };
  runInNewContext(`globalThis.window = globalThis; ${INTERVAL_SCRIPT}`, page);
  return {
    page,
    running,
    pass: (times: number) => {
      for (let count = 0; count < times; count += 1) for (const act of [...running.values()]) act();
    },
    see: (isSeen: boolean) => {
      document.hidden = !isSeen;
      listeners.get('visibilitychange')?.({});
    },
    fold: (folded: boolean, source: object = parent) =>
      listeners.get('message')?.({ source, data: { stage: 'fold', folded } }),
  };
}

it('pauses intervals while the page is hidden, and resumes them with their arguments', () => {
  const { page, pass, see } = openPage();
  const heard: unknown[] = [];
  page.setInterval((value) => heard.push(value), 4, 'given');
  pass(2);
  see(false);
  pass(5);
  expect(heard).toHaveLength(2);
  see(true);
  pass(1);
  expect(heard).toEqual(['given', 'given', 'given']);
});

it('pauses an interval that is started in a hidden page until the page is visible', () => {
  const { page, running, pass, see } = openPage({ hidden: true });
  let count = 0;
  page.setInterval(() => {
    count += 1;
  }, 0);
  expect(running.size).toBe(0);
  see(true);
  see(true);
  pass(1);
  expect(count).toBe(1);
});

it.each(['clearInterval', 'clearTimeout'] as const)(
  'ends an interval by %s, also while it is paused and after that',
  (end) => {
    const { page, running, see } = openPage();
    const [first, second, third] = [1, 2, 3].map(() => page.setInterval(() => {}, 10)) as [number, number, number];
    page[end](first);
    see(false);
    page[end](second);
    see(true);
    expect(running.size).toBe(1);
    page[end](third);
    expect(running.size).toBe(0);
    see(false);
    see(true);
    expect(running.size).toBe(0);
  },
);

it('pauses intervals while the app has the stage folded, and by no message of another page', () => {
  const { page, running, fold, see } = openPage();
  page.setInterval(() => {}, 10);
  fold(true, {});
  expect(running.size).toBe(1);
  fold(true);
  expect(running.size).toBe(0);
  see(true);
  expect(running.size).toBe(0);
  fold(false);
  expect(running.size).toBe(1);
});

it('does not pause timeouts', () => {
  const { page, running, see } = openPage();
  // The id of a timeout is not the id of an interval.
  running.set(77, () => {});
  see(false);
  expect([...running.keys()]).toEqual([77]);
  page.clearTimeout(77);
  expect(running.size).toBe(0);
});
