import { describe, expect, it } from 'vitest';
import type { Payload } from '../../../shared/contract.ts';
import type { ChatItem, ChatState } from '../../../shared/model/chat.ts';
import { NOTHING_USED } from '../../../shared/model/cost/usage.ts';
import { applyEarlier, applyStream, applyUpdate, toChatView } from './chat-reducer.ts';

const usage = NOTHING_USED;
const row = (id: string, text: string): ChatItem => ({
  id,
  turn: 't1',
  at: 1,
  kind: 'assistant',
  text,
  streaming: true,
});
const chat: ChatState = {
  session: 's1',
  title: 'Rain',
  phase: 'idle',
  items: [row('a', 'One'), row('b', 'Two')],
  earlier: 7,
  practice: false,
  isForeign: false,
  turnUsage: usage,
  sessionUsage: usage,
  context: null,
  todo: [],
  queue: [],
};
const update = (changes: Partial<Payload<'chat.updated'>>): Payload<'chat.updated'> => ({
  session: 's1',
  seq: 5,
  phase: 'model',
  title: 'Rain',
  items: [],
  places: [],
  turnUsage: usage,
  sessionUsage: usage,
  context: null,
  todo: [],
  ...changes,
});

describe('applyUpdate', () => {
  it('replaces rows by id in place and appends new ones', () => {
    const { view, missed } = applyUpdate(
      toChatView(chat),
      update({ items: [row('c', 'Three'), row('a', 'Uno')], places: [9, 7] }),
    );
    expect(missed).toBe(false);
    expect(view).toEqual({
      seq: 5,
      chat: { ...chat, phase: 'model', items: [row('a', 'Uno'), row('b', 'Two'), row('c', 'Three')] },
    });
  });

  it('takes how full the window is', () => {
    const context = { used: 900, window: 32_000 };
    expect(applyUpdate(toChatView(chat), update({ context })).view.chat?.context).toEqual(context);
  });

  it('reports a gap and still applies the update', () => {
    const first = applyUpdate(toChatView(chat), update({ seq: 5 })).view;
    const { view, missed } = applyUpdate(first, update({ seq: 7, items: [row('c', 'Three')], places: [9] }));
    expect(missed).toBe(true);
    expect(view.chat?.items).toHaveLength(3);
  });

  it('ignores a row above the loaded ones, which is loaded later', () => {
    const { view, missed } = applyUpdate(toChatView(chat), update({ items: [row('old', 'Old')], places: [3] }));
    expect([missed, view.chat?.items]).toEqual([false, chat.items]);
  });

  it('drops an update that is older than the current state', () => {
    const first = applyUpdate(toChatView(chat), update({ seq: 5, phase: 'tool' })).view;
    expect(applyUpdate(first, update({ seq: 5, phase: 'idle' }))).toEqual({ view: first, missed: false });
  });

  it('ignores another session and requests the state when none is loaded', () => {
    const view = toChatView(chat);
    expect(applyUpdate(view, update({ session: 'other', items: [row('z', 'Z')] }))).toEqual({ view, missed: false });
    expect(applyUpdate(toChatView(null), update({})).missed).toBe(true);
  });
});

describe('applyStream', () => {
  it('appends to the row and keeps the identity of every other row', () => {
    const { view } = applyStream(toChatView(chat), { session: 's1', item: 'b', text: '!' });
    expect(view.chat?.items[1]).toEqual(row('b', 'Two!'));
    expect(view.chat?.items[0]).toBe(chat.items[0]);
  });

  it('requests the state when the row is unknown', () => {
    expect(applyStream(toChatView(chat), { session: 's1', item: 'nope', text: '!' })).toEqual({
      view: toChatView(chat),
      missed: true,
    });
  });
});

describe('applyEarlier', () => {
  const rest = { session: 's1', before: 7, earlier: 5, items: [row('x', 'X'), row('y', 'Y')] };

  it('prepends earlier rows and keeps the identity of loaded ones', () => {
    const { chat: now } = applyEarlier(toChatView(chat), rest);
    expect(now?.items.map(({ id }) => id)).toEqual(['x', 'y', 'a', 'b']);
    expect([now?.items[2], now?.earlier]).toEqual([chat.items[0], 5]);
  });

  it('drops an answer for another session or another position', () => {
    const view = toChatView(chat);
    expect(applyEarlier(view, { ...rest, session: 's2' })).toBe(view);
    expect(applyEarlier(view, { ...rest, before: 6 })).toBe(view);
    expect(applyEarlier(toChatView(null), rest).chat).toBeNull();
  });
});
