import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../shared/model/settings.ts';
import type { ModelEvent } from '../../core/ports/models.ts';
import { createModels } from './create-models.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Far more than any limit; an answer that is read to here was not stopped. */
const MAX_SENT = 100_000_000;

/** Starts a service that answers with `head` and then with pieces without end. `sent` returns the bytes that it could send. */
async function serve(
  status: number,
  head: string,
  next: string | (() => string),
): Promise<{ url: string; sent: () => number }> {
  let sent = 0;
  const pump = (response: ServerResponse) => {
    while (!response.destroyed && sent < MAX_SENT) {
      const piece = typeof next === 'string' ? next : next();
      sent += piece.length;
      if (!response.write(piece)) {
        response.once('drain', () => pump(response));
        return;
      }
    }
    response.end();
  };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' });
    response.write(head);
    pump(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, sent: () => sent };
}

async function run(baseUrl: string): Promise<ModelEvent[]> {
  const settings = {
    ...DEFAULT_SETTINGS,
    provider: 'custom' as const,
    choices: { custom: { baseUrl, model: 'story' } },
  };
  const models = createModels({
    settings: { read: async () => settings },
    secrets: { get: async () => ({ kind: 'none' }) },
    timeouts: { firstChunk: 20_000, chunk: 20_000 },
  });
  const events: ModelEvent[] = [];
  const model = await models.current();
  const { signal } = new AbortController();
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  for await (const event of model.stream({ instructions: 'Be brief.', messages, tools: [], signal }))
    events.push(event);
  return events;
}

let calls = 0;
function nextCalls(): string {
  const call = () => ({
    index: calls++,
    id: `c${calls}`,
    type: 'function',
    function: { name: 'read', arguments: '{}' },
  });
  const event = () => ({ id: 'x', choices: [{ index: 0, delta: { tool_calls: [call()] }, finish_reason: null }] });
  return Array.from({ length: 100 }, () => `data: ${JSON.stringify(event())}\n\n`).join('');
}

const LETTERS = 'x'.repeat(65_536);

it.each([
  ['an error body', 400, '', LETTERS, { problem: 'refused' }],
  ['an error body of a failed service', 500, '', LETTERS, { problem: 'overloaded' }],
  ['one line', 200, 'data: ', LETTERS, { problem: 'endless', retryable: false }],
  ['one event', 200, '', `data: ${'x'.repeat(1000)}\n`.repeat(65), { problem: 'endless', retryable: false }],
  ['blanks', 200, '', ' '.repeat(65_536), { problem: 'endless', retryable: false }],
  ['calls', 200, '', nextCalls, { problem: 'endless', detail: 'More than 1000 calls.' }],
  ['events that are no JSON', 200, '', `data: ${'x'.repeat(200_000)}\n\n`, { problem: 'badAnswer' }],
  [
    'nested events',
    200,
    '',
    `data: ${'['.repeat(1000)}\n\n`,
    { problem: 'badAnswer', detail: expect.stringContaining('nested deeper') },
  ],
])('stops %s without an end', async (_, status, head, next, error) => {
  const { url, sent } = await serve(status, head, next);
  const events = await run(url);
  expect(events.filter(({ kind }) => kind !== 'writing')).toMatchObject([{ kind: 'error', ...error }]);
  // What the sockets hold was sent and not read.
  expect(sent()).toBeLessThan(MAX_SENT / 2);
});
