import { expect, it } from 'vitest';
import type { Durability } from '../../ports/logs.ts';
import type { LogEvent } from './log-events.ts';
import { createSessionLog } from './session-log.ts';

const END = { t: 'turn.end', turn: 't', at: 1, reason: 'done' } as const satisfies LogEvent;
const USER = {
  t: 'user',
  turn: 't',
  at: 1,
  id: 'u',
  kind: 'message',
  mode: 'plan',
  text: '你好',
} as const satisfies LogEvent;

it('awaits the disk for what follows a message, and not for the message, so that the request leaves at once', async () => {
  const asked: Durability[] = [];
  const file = {
    append: async () => undefined,
    appendAll: async (_: readonly unknown[], durable: Durability) => void asked.push(durable),
    read: async () => ({ damaged: 0, isForeign: false }),
  };
  const log = createSessionLog('s', file, { at: 1, practice: false });
  await log.append({ t: 'turn.start', turn: 't', at: 1, mode: 'plan' }, USER);
  await log.append({ t: 'assistant.piece', turn: 't', at: 1, step: 's', text: '你', thinking: '' });
  await log.append(USER, END);
  expect(asked).toEqual(['soon', false, true]);
});
