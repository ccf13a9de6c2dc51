import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRepeater, createSerialQueue, delay, withAbort } from './async.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('createRepeater', () => {
  it('runs once more for all calls during a run, and again later, also after a failure', async () => {
    const runs: PromiseWithResolvers<void>[] = [];
    const run = createRepeater(() => {
      const one = Promise.withResolvers<void>();
      runs.push(one);
      return one.promise;
    });
    const first = run();
    await Promise.all([run(), run()]);
    expect(runs).toHaveLength(1);
    runs[0]?.resolve();
    await tick();
    expect(runs).toHaveLength(2);
    runs[1]?.resolve();
    await first;
    const failing = run();
    runs[2]?.reject(new Error('full'));
    await expect(failing).rejects.toThrow('full');
    void run();
    expect(runs).toHaveLength(4);
  });
});

describe('createSerialQueue', () => {
  it('runs tasks one at a time, in the order of the calls', async () => {
    const queue = createSerialQueue();
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const results = [
      queue.run(async () => {
        log.push('first begins');
        await first.promise;
        log.push('first ends');
        return 1;
      }),
      queue.run(() => log.push('second')),
    ];
    await tick();
    expect(log).toEqual(['first begins']);
    first.resolve();
    expect(await Promise.all(results)).toEqual([1, 3]);
    expect(log).toEqual(['first begins', 'first ends', 'second']);
  });

  it('passes a failure to its caller only', async () => {
    const queue = createSerialQueue();
    const failing = queue.run(() => {
      throw new Error('disk full');
    });
    const next = queue.run(() => 'next');
    await expect(failing).rejects.toThrow('disk full');
    expect(await next).toBe('next');
  });

  it('is idle when every task added so far has ended, also by failing', async () => {
    const queue = createSerialQueue();
    const task = Promise.withResolvers<void>();
    let isIdle = false;
    const failed = queue.run(() => task.promise).catch(() => 'failed');
    const idle = queue.idle().then(() => {
      isIdle = true;
    });
    await tick();
    expect(isIdle).toBe(false);
    task.reject(new Error('stop'));
    await idle;
    expect(await failed).toBe('failed');
  });
});

describe('withAbort', () => {
  it('settles as the work does, and removes its listener', async () => {
    const { signal } = new AbortController();
    expect(await withAbort(Promise.resolve(1), signal)).toBe(1);
    await expect(withAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    await tick();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects with the reason when the signal aborts first, or had aborted before', async () => {
    const stop = new AbortController();
    const pending = withAbort(new Promise(() => undefined), stop.signal);
    stop.abort(new Error('stopped'));
    await expect(pending).rejects.toThrow('stopped');
    await expect(withAbort(Promise.resolve(1), stop.signal)).rejects.toThrow('stopped');
  });

  it('rejects with the given error, and ignores a later failure of the work', async () => {
    const stop = new AbortController();
    const work = Promise.withResolvers<void>();
    const pending = withAbort(work.promise, stop.signal, () => new Error('ended'));
    stop.abort();
    await expect(pending).rejects.toThrow('ended');
    work.reject(new Error('late'));
    await tick();
  });
});

describe('delay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('waits for the given time', async () => {
    let isOver = false;
    const waiting = delay(50).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(49);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
  });

  it('ends early and clears its timer when the signal aborts, and is not started after an abort', async () => {
    const stop = new AbortController();
    const waiting = delay(1_000, stop.signal);
    expect(vi.getTimerCount()).toBe(1);
    stop.abort();
    await waiting;
    await delay(1_000, stop.signal);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});
