import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { DRIVER } from './stage-driver-script.ts';

interface Answer {
  id: number;
  reason?: string;
}

/** Creates a page without an engine, with a menu of one option that counts its clicks. */
function openPage() {
  const answers: Answer[] = [];
  let clicks = 0;
  let isBroken = false;
  let held = 0;
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
    ...{ setTimeout, clearTimeout, performance, queueMicrotask, Date, console },
    ...{ XMLHttpRequest: Request, WebSocket: Socket, MutationObserver: Observer, addEventListener: () => undefined },
    document: {
      getElementById: () => {
        if (isBroken) throw new Error('gone');
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
