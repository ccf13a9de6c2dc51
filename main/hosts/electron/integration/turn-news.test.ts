import { expect, it } from 'vitest';
import type { ChatItem, ChatPhase, TurnEnd } from '../../../../shared/model/chat.ts';
import { createTurnWatch, type TurnNews } from './turn-news.ts';

const end = (reason: TurnEnd): ChatItem => ({ id: 'e', turn: 't', at: 0, kind: 'end', reason });

/** Applies a turn's updates in order and returns the result of each. */
function follow(...updates: [ChatPhase, ChatItem[]?][]): (TurnNews | null)[] {
  const watch = createTurnWatch();
  return updates.map(([phase, items = []]) => watch.update({ phase, items }));
}

it.each<[string, TurnEnd, TurnNews | null]>([
  ['the end of a turn', 'done', 'done'],
  ['a failure', 'error', 'failed'],
  ['a turn stopped by a guard', 'repeat', 'failed'],
  ['no event when the user stopped the turn', 'stopped', null],
])('reports %s', (_title, reason, news) => {
  expect(follow(['model'], ['tool'], ['idle', [end(reason)]])).toEqual([null, null, news]);
  expect(follow(['model'], ['model', [end(reason)]], ['idle'])).toEqual([null, null, news]);
});

it('reports a review, a question and a consent request, and then the end of the turn', () => {
  expect(follow(['model'], ['consent'], ['tool'], ['review', [end('review')]])).toEqual([
    null,
    'consent',
    null,
    'review',
  ]);
  expect(follow(['model'], ['answer', [end('answer')]], ['model'], ['idle', [end('done')]])).toEqual([
    null,
    'answer',
    null,
    'done',
  ]);
});

it('resets the outcome of the last turn when another begins', () => {
  expect(follow(['model'], ['idle', [end('error')]], ['model'], ['idle'])).toEqual([null, 'failed', null, 'done']);
});

it('reports nothing when another conversation is opened during a turn', () => {
  const watch = createTurnWatch();
  watch.update({ phase: 'model', items: [] });
  watch.reset('idle');
  expect(watch.isRunning()).toBe(false);
  expect(watch.update({ phase: 'idle', items: [] })).toBeNull();
});
