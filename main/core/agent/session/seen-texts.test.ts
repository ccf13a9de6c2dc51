import { expect, test } from 'vitest';
import { LogEvent } from './log-events.ts';
import { toSeenTexts } from './seen-texts.ts';

const result = (call: string, seen?: Record<string, string | null>): LogEvent =>
  LogEvent.parse({ t: 'tool.result', turn: 't', at: 1, step: 's', call, name: 'x', ok: true, ...(seen && { seen }) });

test('what a conversation was shown is read from its log, the last version of each path', () => {
  const events = [result('1', { a: 'v1', b: 'v1' }), result('2')];
  expect([...toSeenTexts(events)]).toEqual([
    ['a', 'v1'],
    ['b', 'v1'],
  ]);
  events.push(result('3', { a: 'v2' }), result('4', { b: null }));
  expect([...toSeenTexts(events)]).toEqual([['a', 'v2']]);
  // Another conversation, such as the same one after a restart.
  expect([...toSeenTexts([...events])]).toEqual([['a', 'v2']]);
  expect([...toSeenTexts([])]).toEqual([]);
});
