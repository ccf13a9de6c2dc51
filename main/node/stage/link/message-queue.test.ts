import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { createMessageQueue } from './message-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createSocket() {
  const socket = Object.assign(new EventEmitter(), { OPEN: 1, readyState: 1, pause: vi.fn(), resume: vi.fn() });
  const send = (text: string) => socket.emit('message', Buffer.from(text));
  return { socket, send, asSocket: socket as unknown as WebSocket };
}

it('handles one message at a time, in order, and pauses a socket that sends more', () => {
  const queue = createMessageQueue();
  const [one, two] = [createSocket(), createSocket()];
  const seen: string[] = [];
  for (const { asSocket } of [one, two]) queue.read(asSocket, (text) => seen.push(text));
  for (let index = 0; index < 20; index += 1) one.send(`one ${index}`);
  two.send('two');
  expect(seen).toEqual(['one 0']);
  expect([one.socket.pause.mock.calls.length > 0, two.socket.pause.mock.calls.length]).toEqual([true, 1]);
  for (let count = 2; count <= 20; count += 1) {
    vi.advanceTimersToNextTimer();
    expect(seen).toHaveLength(count);
    expect(one.socket.resume).not.toHaveBeenCalled();
  }
  vi.runAllTimers();
  expect(seen).toEqual([...Array.from({ length: 20 }, (_, index) => `one ${index}`), 'two']);
  expect([one.socket.resume.mock.calls.length, two.socket.resume.mock.calls.length]).toEqual([1, 1]);
  one.send('later');
  expect(seen.at(-1)).toBe('later');
});

it('rests four times as long as a message took', () => {
  const queue = createMessageQueue();
  const { asSocket, send } = createSocket();
  const seen: string[] = [];
  queue.read(asSocket, (text) => {
    seen.push(text);
    vi.setSystemTime(Date.now() + 50);
    vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() + 50);
  });
  send('a');
  send('b');
  vi.advanceTimersByTime(190);
  expect(seen).toEqual(['a']);
  vi.advanceTimersByTime(20);
  expect(seen).toEqual(['a', 'b']);
});

it('drops messages of a socket that closed, and continues after one that fails', () => {
  const queue = createMessageQueue();
  const [gone, other] = [createSocket(), createSocket()];
  const seen: string[] = [];
  queue.read(gone.asSocket, (text) => seen.push(text));
  queue.read(other.asSocket, (text) => {
    if (text === 'bad') throw new Error('unforeseen');
    seen.push(text);
  });
  gone.send('first');
  gone.send('second');
  gone.socket.readyState = 3;
  gone.socket.emit('close');
  other.send('bad');
  other.send('good');
  vi.advanceTimersToNextTimer();
  expect(() => vi.advanceTimersToNextTimer()).toThrow('unforeseen');
  vi.runAllTimers();
  expect(seen).toEqual(['first', 'good']);
  expect(gone.socket.resume).not.toHaveBeenCalled();
});
