import { EventEmitter } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildPreloadCode, runPreload } from '../tests/support/window/run-preload.ts';

let code: string;

beforeAll(async () => {
  code = await buildPreloadCode();
});

function start() {
  const channels = new EventEmitter();
  const invoked: unknown[][] = [];
  const sent: unknown[][] = [];
  const { exposed, required, drag, isDropping } = runPreload(code, {
    send: (...args) => void sent.push(args),
    async invoke(...args) {
      invoked.push(args);
      return { ok: true, value: 1 };
    },
    on: (channel, listener) => void channels.on(channel, listener),
    off: (channel, listener) => void channels.off(channel, listener),
  });
  return { channels, invoked, sent, exposed, required, drag, isDropping, wire: exposed.appWire };
}

describe('the preload, run like in the sandbox', () => {
  it('is small, requires only electron and exposes two functions', () => {
    const { exposed, required } = start();
    expect(required).toEqual(['electron']);
    expect(Object.fromEntries(Object.entries(exposed).map(([name, wire]) => [name, Object.keys(wire)]))).toEqual({
      appWire: ['call', 'on'],
    });
    expect(code.length).toBeLessThan(2500);
  });

  it('sends every call over one channel, whatever its method', async () => {
    const { wire, invoked } = start();
    expect(await wire?.call('shell:open', { a: 1 })).toEqual({ ok: true, value: 1 });
    expect(invoked).toEqual([['app:call', 'shell:open', { a: 1 }]]);
  });

  it('forwards events without the sender, until unsubscribed', () => {
    const { wire, channels } = start();
    const received: unknown[][] = [];
    const stop = wire?.on((...args) => received.push(args));
    channels.emit('app:event', { sender: 'ipc' }, 'history.changed', {});
    channels.emit('other:event', { sender: 'ipc' }, 'secret', {});
    stop?.();
    channels.emit('app:event', { sender: 'ipc' }, 'chat.changed', {});
    expect(received).toEqual([['history.changed', {}]]);
    // One for all listeners of the page: Electron warns about more than ten.
    expect(channels.listenerCount('app:event')).toBe(1);
  });

  it('sends the path of a dropped folder to the app and hides the drop from the page', () => {
    const { sent, drag, isDropping } = start();
    const seen: string[] = [];
    const event = (type: string, more = {}) => ({
      ...{
        type,
        relatedTarget: null,
        dataTransfer: { types: ['Files'], items: [{ type: '' }], files: [{ path: '/games/sea' }] },
      },
      preventDefault: () => seen.push(`${type} prevented`),
      stopPropagation: () => seen.push(`${type} stopped`),
      ...more,
    });
    drag(event('dragover'));
    expect(isDropping()).toBe(true);
    drag(event('dragleave'));
    expect(isDropping()).toBe(false);
    drag(event('drop'));
    expect(sent).toEqual([['app:drop', '/games/sea']]);
    expect(seen).toContain('drop prevented');
    expect(seen).toContain('drop stopped');
    drag(event('drop', { dataTransfer: { types: ['text/plain'], files: [] } }));
    expect(sent).toHaveLength(1);
    expect(seen).toHaveLength(6);
  });

  it('leaves files to an element that takes their kinds, and nothing else', () => {
    const { sent, drag, isDropping } = start();
    let stopped = 0;
    const event = (type: string, items: string[], isOver: boolean) => ({
      ...{ type, relatedTarget: null, preventDefault: () => undefined },
      dataTransfer: { types: ['Files'], items: items.map((each) => ({ type: each })), files: [{ path: '/a.png' }] },
      target: {
        closest: (selector: string) =>
          isOver && selector === '[data-takes]' ? { dataset: { takes: 'image audio' } } : null,
      },
      stopPropagation: () => {
        stopped += 1;
      },
    });
    drag(event('dragover', ['image/png'], false));
    expect([stopped, isDropping()]).toEqual([1, true]);
    drag(event('dragover', ['image/png', 'image/webp'], true));
    drag(event('drop', ['image/png', 'audio/mpeg'], true));
    // The page tells that it takes no text.
    drag(event('drop', ['text/plain', 'image/png'], true));
    expect([stopped, isDropping(), sent]).toEqual([1, false, []]);
    drag(event('drop', ['text/plain'], true));
    drag(event('drop', [''], true));
    drag(event('drop', ['image/png'], false));
    expect([stopped, sent.length]).toEqual([4, 3]);
  });
});
