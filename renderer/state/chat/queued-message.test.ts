import { expect, it } from 'vitest';
import type { ChatItem, ChatPhase, TurnEnd } from '../../../shared/model/chat.ts';
import { toQueueStep } from './queued-message.ts';

const end = (reason: TurnEnd): ChatItem => ({ id: 'e', turn: 't', at: 1, kind: 'end', reason });
const chat = (phase: ChatPhase, ...items: ChatItem[]) => ({ session: 's', phase, items });

it('waits while the assistant works and sends when its turn succeeded', () => {
  const before = chat('model');
  expect(toQueueStep(before, chat('model'))).toBe('wait');
  expect(toQueueStep(before, chat('tool', end('done')))).toBe('wait');
  expect(toQueueStep(before, chat('consent'))).toBe('wait');
  expect(toQueueStep(before, chat('idle', end('error'), end('done')))).toBe('send');
  expect(toQueueStep(before, chat('review', end('review')))).toBe('send');
});

it.each(['stopped', 'error', 'interrupted', 'steps', 'time'] as const)(
  'keeps the message when the turn ended with %s',
  (reason) => {
    expect(toQueueStep(chat('model'), chat('idle', end('done'), end(reason)))).toBe('keep');
  },
);

it('keeps the message for a question and for another conversation', () => {
  expect(toQueueStep(chat('model'), chat('answer', end('answer')))).toBe('keep');
  expect(toQueueStep(chat('model'), { ...chat('idle', end('done')), session: 'other' })).toBe('keep');
  expect(toQueueStep(chat('model'), null)).toBe('keep');
});
