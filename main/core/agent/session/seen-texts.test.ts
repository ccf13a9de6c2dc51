import { expect, test } from 'vitest';
import { LogEvent } from './log-events.ts';
import { toSeenTexts } from './seen-texts.ts';

const result = (call: string, seen?: Record<string, string | null>): LogEvent =>
  LogEvent.parse({ t: 'tool.result', turn: 't', at: 1, step: 's', call, name: 'x', ok: true, ...(seen && { seen }) });

const step = (id: string): LogEvent =>
  LogEvent.parse({
    ...{ t: 'assistant', turn: 't', at: 1, step: id, messages: [], finish: 'stop' },
    usage: { input: 1, cached: 0, output: 1 },
  });
const compaction = (before: string | null): LogEvent =>
  LogEvent.parse({
    ...{ t: 'compaction', turn: 't', at: 1, id: 'k', before, summary: 'x', tokens: 1 },
    usage: { input: 0, cached: 0, output: 0 },
  });

test('forgets texts from before a compaction, except those that it keeps', () => {
  const events = [step('one'), result('1', { a: 'v1' }), step('two'), result('2', { b: 'v1' })];
  expect([...toSeenTexts([...events, compaction('two')])]).toEqual([['b', 'v1']]);
  expect([...toSeenTexts([...events, compaction(null)])]).toEqual([]);
});

test('reads the last version of each path that was shown from the log', () => {
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
