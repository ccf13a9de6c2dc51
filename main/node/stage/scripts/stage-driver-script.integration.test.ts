import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { DRIVER } from './stage-driver-script.ts';

interface Answer {
  id: number;
  reason?: string;
}

/** Ends the pages of the test: their timers would go on beside later ones, some of which hold the clock. */
const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** Creates a page without an engine, with a menu of one option that counts its clicks. */
function openPage() {
  const answers: Answer[] = [];
  let clicks = 0;
  let isBroken = false;
  let isClosed = false;
  closings.push(() => {
    isClosed = true;
  });
  const later = (act: () => void, delay?: number) => setTimeout(() => !isClosed && act(), delay);
  let held = 0;
  /** Called at every look at the page. */
  let onLook = (): void => undefined;
  const option = {
    ...{ className: '', textContent: 'Go', isConnected: true },
    click() {
      clicks += 1;
      option.isConnected = false;
    },
  };
  const main = { className: 'menu', children: [{ firstElementChild: option }] };
  const container = { firstElementChild: main, querySelector: () => null };
  class Request {
    open() {}
  }
  class Socket {}
  class Observer {
    observe() {}
  }
  const page = {
    ...{ setTimeout: later, clearTimeout, performance, queueMicrotask, Date, console },
    ...{ XMLHttpRequest: Request, WebSocket: Socket, MutationObserver: Observer, addEventListener: () => undefined },
    document: {
      getElementById: (id: string) => {
        if (isBroken) throw new Error('gone');
        // Once for each look, whatever else of the page is read.
        if (id !== 'chooseContainer') return null;
        onLook();
        return option.isConnected ? container : null;
      },
      querySelector: () => null,
    },
    send: (message: string) => void answers.push(JSON.parse(message) as Answer),
    tell: () => undefined,
    holdFrames: () => {
      held += 1;
      return () => undefined;
    },
    obey: (_order: object): void => undefined,
  };
  runInNewContext(`${DRIVER}; globalThis.obey = obey;`, page);
  return {
    answers,
    clicks: () => clicks,
    held: () => held,
    order: (order: object) => page.obey({ sentAt: Date.now(), ...order }),
    setBroken: (value: boolean) => {
      isBroken = value;
    },
    setTimeout: (act: () => void, delay?: number) => void page.setTimeout(act, delay),
    /** Another menu at each look: a story that does not come to rest. `pause`: milliseconds for which each look blocks the page. */
    setRestless(pause: number) {
      let looks = 0;
      onLook = () => {
        looks += 1;
        Object.assign(option, { isConnected: clicks === 0 || looks % 2 === 0 });
        const end = performance.now() + pause;
        while (performance.now() < end);
      };
    },
  };
}

it('does not carry out an order that the app has given up', async () => {
  const page = openPage();
  page.order({ id: 1, order: 'choose', option: 1, sentAt: Date.now() - 5_000 });
  page.order({ id: 2, order: 'state' });
  await expect.poll(() => page.answers.map(({ id }) => id)).toEqual([2]);
  expect(page.clicks()).toBe(0);
});

it('holds the frames of the page while it carries out an order', async () => {
  const page = openPage();
  page.order({ id: 1, order: 'choose', option: 1 });
  await expect.poll(() => page.answers).toHaveLength(1);
  expect([page.clicks(), page.held()]).toEqual([1, 1]);
});

it('answers the next order after one whose failure could not be reported', async () => {
  const page = openPage();
  page.setBroken(true);
  page.order({ id: 1, order: 'state' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  page.setBroken(false);
  page.order({ id: 2, order: 'state' });
  await expect.poll(() => page.answers.map(({ id }) => id)).toEqual([2]);
});

it('comes to rest in a page that sets timers without a delay all the time, and not while the engine jumps', async () => {
  const page = openPage();
  let isOver = false;
  const tick = (): void => {
    if (!isOver) page.setTimeout(tick, 0);
  };
  tick();
  page.order({ id: 1, order: 'choose', option: 1 });
  await expect.poll(() => page.answers.map(({ reason }) => reason)).toEqual([undefined]);
  const other = openPage();
  const jump = (): void => {
    if (!isOver) other.setTimeout(jump, 1);
  };
  jump();
  other.order({ id: 2, order: 'choose', option: 1 });
  await expect.poll(() => other.answers.map(({ reason }) => reason), { timeout: 4_000 }).toEqual(['endless']);
  isOver = true;
});

it.each([
  ['endless', 0],
  ['busy', 100],
])('calls a story without rest %s where a look takes %d ms', async (reason, pause) => {
  const page = openPage();
  page.order({ id: 1, order: 'state' });
  await expect.poll(() => page.answers).toHaveLength(1);
  page.order({ id: 2, order: 'choose', option: 1 });
  page.setRestless(pause);
  await expect.poll(() => page.answers[1], { timeout: 5_000 }).toMatchObject({ reason });
});
