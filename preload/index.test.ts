import { EventEmitter } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildPreloadCode, runPreload } from '../tests/support/run-preload.ts';

let code: string;

beforeAll(async () => {
  code = await buildPreloadCode();
});

function start() {
  const channels = new EventEmitter();
  const invoked: unknown[][] = [];
  const { exposed, required } = runPreload(code, {
    async invoke(...args) {
      invoked.push(args);
      return { ok: true, value: 1 };
    },
    on: (channel, listener) => void channels.on(channel, listener),
    off: (channel, listener) => void channels.off(channel, listener),
  });
  return { channels, invoked, exposed, required, wire: exposed.appWire };
}

describe('the preload, run as the sandbox runs it', () => {
  it('is small, asks for electron alone and exposes two functions', () => {
    const { exposed, required } = start();
    expect(required).toEqual(['electron']);
    expect(Object.fromEntries(Object.entries(exposed).map(([name, wire]) => [name, Object.keys(wire)]))).toEqual({
      appWire: ['call', 'on'],
    });
    expect(code.length).toBeLessThan(1500);
  });

  it('sends a call over the one channel, whatever the page names it', async () => {
    const { wire, invoked } = start();
    expect(await wire?.call('shell:open', { a: 1 })).toEqual({ ok: true, value: 1 });
    expect(invoked).toEqual([['app:call', 'shell:open', { a: 1 }]]);
  });

  it('passes news on without the sender, until it is told to stop', () => {
    const { wire, channels } = start();
    const heard: unknown[][] = [];
    const stop = wire?.on((...args) => heard.push(args));
    channels.emit('app:event', { sender: 'ipc' }, 'history.changed', {});
    channels.emit('other:event', { sender: 'ipc' }, 'secret', {});
    stop?.();
    channels.emit('app:event', { sender: 'ipc' }, 'chat.changed', {});
    expect(heard).toEqual([['history.changed', {}]]);
    expect(channels.listenerCount('app:event')).toBe(0);
  });
});
