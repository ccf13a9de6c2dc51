import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelFetch, createServiceFetch, type Fetch, fetchFromLoopback } from './requests.ts';
import { openLoopbackSocket } from './sockets.ts';

it('calls a model only at its own origin and without redirects', async () => {
  const sent: [string, RequestInit | undefined][] = [];
  const transport: Fetch = async (input, init) => {
    sent.push([String(input), init]);
    return new Response('');
  };
  const send = createModelFetch('https://service.example/v1', transport);
  await send('https://service.example/v1/chat', { method: 'POST' });
  expect(sent).toEqual([['https://service.example/v1/chat', { method: 'POST', redirect: 'error' }]]);
  const elsewhere = ['https://other.example/v1', 'http://service.example/v1', 'https://service.example:444/v1'];
  for (const url of [...elsewhere, new URL('https://other.example/'), new Request('https://other.example/')]) {
    await expect(send(url)).rejects.toThrow('left the address');
  }
  expect(sent).toHaveLength(1);
});

it('refuses requests and sockets to other machines', async () => {
  const { signal } = new AbortController();
  await expect(fetchFromLoopback('http://192.0.2.1/', signal)).rejects.toThrow('not one of this machine');
  expect(() => openLoopbackSocket('ws://192.0.2.1/', {})).toThrow('not one of this machine');
});

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Starts a service on this machine; returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('an answer of a service', () => {
  const PIECE = Buffer.alloc(4 * 1024 * 1024, 'x');
  const EVENTS = { accept: 'application/json, text/event-stream' };
  const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

  /** Asks a service that sends 40 MB in three seconds. Returns the pieces that arrived before the answer was cut. */
  async function ask(end: string, { status = 200, answered = STREAM as object, asked = EVENTS as object } = {}) {
    const address = await serve((_, response) => {
      response.writeHead(status, { ...answered });
      let left = 10;
      const timer = setInterval(() => {
        response.write(PIECE);
        response.write(end);
        left -= 1;
        if (left === 0) response.end();
        if (left === 0 || response.destroyed) clearInterval(timer);
      }, 300);
    });
    const { body } = await createServiceFetch(address, {})(address, { headers: { ...asked } });
    let bytes = 0;
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.byteLength;
    } catch (error) {
      expect(String(error)).toContain('too large');
    }
    return Math.round(bytes / PIECE.length);
  }

  it('of events goes on, of one event without end is cut', { timeout: 60_000 }, async () => {
    const askAll = (ends: string[]) => Promise.all(ends.map((end) => ask(end)));
    const [whole, open] = await Promise.all([askAll(['\n\n', '\r\r', '\r\n\r\n']), askAll(['\n', '\r\n', '\nx\n'])]);
    expect(whole).toEqual([10, 10, 10]);
    expect(Math.max(...open)).toBeLessThanOrEqual(8);
    expect(Math.min(...open)).toBeGreaterThan(5);
  });

  it('of very many small events is read at a bounded rate, and none is lost', { timeout: 20_000 }, async () => {
    const [event, count] = ['data: 12345\n\n', 9000];
    const address = await serve((_, response) => {
      response.writeHead(200, STREAM);
      for (let sent = 0; sent < count; sent += 500) response.write(event.repeat(500));
      response.end();
    });
    const started = performance.now();
    const { body } = await createServiceFetch(address, {})(address, { headers: EVENTS });
    let bytes = 0;
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.byteLength;
    expect(bytes).toBe(event.length * count);
    expect(performance.now() - started).toBeGreaterThan(900);
  });

  it('that is collected as a whole is cut, however slowly it comes', { timeout: 60_000 }, async () => {
    const whole = [
      { answered: { 'content-type': 'application/json' } },
      { answered: {} },
      // A page of an error, and what was asked for as data, are no streams whatever the service calls them.
      { status: 400 },
      { asked: { accept: 'application/json' } },
      { asked: {} },
    ];
    const pieces = await Promise.all(whole.map((more) => ask('\n\n', more)));
    expect(Math.max(...pieces)).toBeLessThanOrEqual(8);
    expect(Math.min(...pieces)).toBeGreaterThan(5);
  });
});

it('follows a service to http nearby only where the service is nearby', async () => {
  let requests = 0;
  const token = await serve((_, response) => {
    requests += 1;
    response.end('{}');
  });
  const ask = (service: string, named: string) => createServiceFetch(service, {})(named);
  for (const service of ['https://service.example/mcp', 'https://192.168.1.1.evil.example/']) {
    await expect(ask(service, token)).rejects.toMatchObject({ reason: 'provider.address' });
    await expect(ask(service, 'http://192.168.1.1/token')).rejects.toMatchObject({ reason: 'provider.address' });
  }
  expect(requests).toBe(0);
  for (const service of ['http://127.0.0.1:1/mcp', 'https://printer.local/mcp']) {
    expect(await (await ask(service, token)).json()).toEqual({});
  }
});
