import type { Page } from '@playwright/test';
import type { Reply } from '../../../shared/errors.ts';
import { SESSION_KEY, WIRE_GLOBAL, type Wire } from '../../../shared/wire.ts';

/** Calls a method of the contract with the connection and session of an open page, in both hosts. Throws what the app refuses. */
export async function callApp<T>(page: Page, method: string, input: unknown): Promise<T> {
  const reply = (await page.evaluate(
    async ([name, body, wireName, sessionKey]) => {
      const wire = (window as unknown as Record<string, Wire | undefined>)[wireName];
      if (wire) return wire.call(name, body);
      const authorization = `Bearer ${localStorage.getItem(sessionKey) ?? ''}`;
      const headers = { 'content-type': 'application/json', authorization };
      return (await fetch(`/call/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    },
    [method, input, WIRE_GLOBAL, SESSION_KEY] as const,
  )) as Reply<T>;
  if (!reply.ok) throw new Error(`${method}: ${JSON.stringify(reply)}`);
  return reply.value;
}
