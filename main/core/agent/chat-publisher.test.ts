import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventName } from '../../../shared/contract.ts';
import type { ChatItem, ChatState } from '../../../shared/model/chat.ts';
import { createChatPublisher } from './chat-publisher.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const usage = { input: 0, cached: 0, output: 0 };
const row = (text: string, streaming = true): ChatItem => ({
  ...{ kind: 'assistant', id: 'r', turn: 't', at: 1, text, streaming },
});

function setUp() {
  const state: ChatState = {
    ...{ session: 's', title: 'T', phase: 'model', practice: false, isForeign: false },
    ...{ items: [], turnUsage: usage, sessionUsage: usage },
  };
  const heard: [EventName, unknown][] = [];
  const publisher = createChatPublisher({ state: () => state, emit: (event, payload) => heard.push([event, payload]) });
  const say = (text: string, whole: string) => {
    state.items = [row(whole)];
    publisher.stream('r', text);
  };
  return { state, heard, publisher, say };
}

it('sends the row first, then pieces gathered over 40 ms', () => {
  const { heard, say } = setUp();
  say('a', 'a');
  expect(heard).toMatchObject([['chat.updated', { seq: 1, items: [{ text: 'a' }] }]]);
  say('b', 'ab');
  vi.advanceTimersByTime(39);
  say('c', 'abc');
  expect(heard).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(heard.slice(1)).toEqual([['chat.streamed', { session: 's', item: 'r', text: 'bc' }]]);
  vi.advanceTimersByTime(200);
  expect(heard).toHaveLength(2);
});

it('does not send a piece again that went out with its whole row', () => {
  const { state, heard, publisher, say } = setUp();
  say('a', 'a');
  say('b', 'ab');
  state.items = [row('ab', false)];
  publisher.publish();
  vi.advanceTimersByTime(200);
  expect(heard.slice(1)).toMatchObject([['chat.updated', { seq: 2, items: [{ text: 'ab', streaming: false }] }]]);
});

it('says nothing when nothing is new, and nothing after its end', () => {
  const { heard, publisher, say } = setUp();
  publisher.publish();
  expect(heard).toEqual([]);
  say('a', 'a');
  say('b', 'ab');
  publisher.dispose();
  vi.advanceTimersByTime(200);
  expect(heard).toHaveLength(1);
});
