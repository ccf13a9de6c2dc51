import { expect } from 'vitest';
import type { FakeMessage, FakeRequest } from '../../support/services/fake-model-server.ts';

/**
 * Fails unless every provider would accept the history of a request: it begins with the instructions and a user message, every
 * call is answered exactly once before the next message, and no message is blank.
 */
export function assertLegal({ body }: FakeRequest): void {
  const [system, ...messages] = body.messages ?? [];
  expect(system?.role).toBe('system');
  expect(messages[0]?.role).toBe('user');
  let open: string[] = [];
  let last: FakeMessage | undefined;
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(open).toContain(message.tool_call_id);
      open = open.filter((id) => id !== message.tool_call_id);
    } else {
      expect(open, 'a call has no answer').toEqual([]);
      if (message.role === last?.role) throw new Error(`Two messages of ${message.role} in a row.`);
      if (message.role === 'user') expect(String(message.content).trim()).not.toBe('');
    }
    open.push(...(message.tool_calls ?? []).map(({ id }) => id));
    last = message;
  }
  expect(open, 'a call has no answer').toEqual([]);
  expect(last?.role).not.toBe('assistant');
}

/** Fails unless each request begins with the messages of the one before it. */
export function assertStablePrefix(requests: readonly FakeRequest[]): void {
  for (const [index, { body }] of requests.slice(1).entries()) {
    const before = requests[index]?.body.messages ?? [];
    expect((body.messages ?? []).slice(0, before.length)).toEqual(before);
  }
}
