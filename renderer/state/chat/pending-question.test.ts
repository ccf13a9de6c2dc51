import { expect, it } from 'vitest';
import type { ChatItem } from '../../../shared/model/chat.ts';
import { pendingQuestion } from './pending-question.ts';

const base = { turn: 't1', at: 1 };
const ask = (id: string, answer: string | null): ChatItem => ({
  ...base,
  ...{ id, kind: 'question', text: '?', options: [], multiple: false, chosen: [], answer },
});
const says: ChatItem = { ...base, id: '3', kind: 'assistant', text: 'Hello', streaming: false };

it('returns the last question while it has no answer', () => {
  expect(pendingQuestion([ask('1', 'yes'), ask('2', null), says])?.id).toBe('2');
  expect(pendingQuestion([ask('1', 'yes')])).toBeNull();
});
