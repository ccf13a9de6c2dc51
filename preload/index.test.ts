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
    expect(code.length).toBeLessThan(2000);
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
      ...{ type, relatedTarget: null, dataTransfer: { types: ['Files'], files: [{ path: '/games/sea' }] } },
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
});
