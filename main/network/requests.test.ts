import { expect, it } from 'vitest';
import { createModelFetch, type Fetch, fetchFromLoopback, openLoopbackSocket } from './requests.ts';

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
