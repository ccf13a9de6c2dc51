import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventName } from '../../../../shared/contract.ts';
import { createChatPublisher } from './chat-publisher.ts';
import type { LogEvent } from './log-events.ts';
import { createSessionView, type Now } from './session-view.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const words = (step: string, text: string): LogEvent => ({
  ...{ t: 'assistant', turn: 't', at: 1, step, finish: 'stop', usage: { input: 0, cached: 0, output: 0 } },
  messages: [{ role: 'assistant', content: text }],
});

function setUp(events: LogEvent[] = []) {
  const received: [EventName, unknown][] = [];
  const now: Now = { live: null, waits: false, locale: 'en' };
  const view = createSessionView({ id: 's', events, counted: events, isForeign: false }, () => 'other');
  const emit = (event: EventName, payload: unknown) => received.push([event, payload]);
  const publisher = createChatPublisher({ session: 's', view, now: () => now, emit });
  const say = (piece: string, text: string, thinking = '') => {
    now.live = { phase: 'model', step: { turn: 't', at: 1, step: 'a', text, thinking } };
    publisher.stream(text === '' ? 'a:thinking' : 'a:text', piece);
  };
  return { events, now, received, publisher, say };
}

it('sends the row first, then pieces gathered over 40 ms', () => {
  const { received, say } = setUp();
  say('a', 'a');
  expect(received).toMatchObject([['chat.updated', { seq: 1, items: [{ text: 'a' }], places: [0] }]]);
  say('b', 'ab');
  vi.advanceTimersByTime(39);
  say('c', 'abc');
  expect(received).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(received.slice(1)).toEqual([['chat.streamed', { session: 's', item: 'a:text', text: 'bc' }]]);
  vi.advanceTimersByTime(200);
  expect(received).toHaveLength(2);
});

it('does not send a piece again after its whole row was sent', () => {
  const { now, events, received, publisher, say } = setUp();
  say('a', 'a');
  say('b', 'ab');
  now.live = { phase: 'model', step: null };
  events.push(words('a', 'ab'));
  publisher.publish();
  vi.advanceTimersByTime(200);
  expect(received.slice(1)).toMatchObject([['chat.updated', { seq: 2, items: [{ text: 'ab', streaming: false }] }]]);
});

it('does not send a streaming row again when another row changes', () => {
  const { events, received, publisher, say } = setUp();
  say('x', '', 'x');
  say('y', '', 'xy');
  say('a', 'a', 'xy');
  expect(received.at(-1)).toMatchObject([
    'chat.updated',
    { items: [{ streaming: false }, { text: 'a' }], places: [0, 1] },
  ]);
  say('b', 'ab', 'xy');
  vi.advanceTimersByTime(40);
  events.push({ t: 'note', turn: 't', at: 1, id: 'n', level: 'info', text: 'note' });
  publisher.publish();
  expect(received.at(-1)).toMatchObject(['chat.updated', { items: [{ id: 'n' }] }]);
});

it('sends only the added characters, whatever the length of the conversation', () => {
  const turns = Array.from({ length: 3000 }, (_, index) => words(String(index), `Answer ${index}`));
  const { received, say, publisher, events } = setUp(turns);
  let text = '';
  const write = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      text += 'word ';
      say('word ', text);
      vi.advanceTimersByTime(40);
    }
  };
  write(400);
  expect(JSON.stringify(received).length).toBeLessThan(400 * 100);
  events.push({ t: 'note', turn: 't', at: 1, id: 'n', level: 'info', text: 'note' });
  received.length = 0;
  publisher.publish();
  expect(received).toMatchObject([['chat.updated', { items: [{ id: 'n' }], places: [3000] }]]);
});

it('sends nothing without a change, and nothing after it was disposed', () => {
  const { received, publisher, say } = setUp([words('0', 'before')]);
  publisher.publish();
  expect(received).toEqual([]);
  say('a', 'a');
  say('b', 'ab');
  publisher.dispose();
  vi.advanceTimersByTime(200);
  expect(received).toHaveLength(1);
});
