import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createStdioTransport } from './stdio-transport.ts';

it.each([
  ['ends', (input: PassThrough) => input.end()],
  ['breaks', (input: PassThrough) => input.destroy(new Error('EIO'))],
])('reports the end of the client once when its side %s', async (_, leave) => {
  const input = new PassThrough();
  const faults: string[] = [];
  let ends = 0;
  const transport = createStdioTransport({ input, write: async () => undefined, onEnd: () => (ends += 1) });
  transport.onerror = ({ message }) => faults.push(message);
  await transport.start();
  const closed = new Promise((resolve) => input.once('close', resolve));
  leave(input);
  await closed;
  expect([ends, faults.filter((fault) => fault !== 'EIO')]).toEqual([1, []]);
});
