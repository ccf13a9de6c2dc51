import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createProgressLine } from './progress-line.ts';

function show(
  terminal: { isTTY?: boolean; columns?: number },
  steps: readonly (readonly [number, string])[],
): string[] {
  const written: string[] = [];
  let now = 0;
  const line = createProgressLine({ ...terminal, write: (text: string) => written.push(text) > 0 }, () => now);
  for (const [at, words] of steps) {
    now = at;
    line.show(words);
  }
  line.clear();
  return written;
}

it('rewrites one line on a terminal, and removes it', () => {
  expect(
    show({ isTTY: true }, [
      [0, 'one'],
      [50, 'two'],
      [100, 'three'],
    ]),
  ).toEqual(['\r\u001b[Kone', '\r\u001b[Kthree', '\r\u001b[K']);
});

it('keeps a line within the terminal, also with wide letters', () => {
  expect(show({ isTTY: true, columns: 21 }, [[0, 'x'.repeat(40)]])[0]).toBe(`\r\u001b[K${'x'.repeat(20)}`);
  expect(show({ isTTY: true, columns: 21 }, [[0, '\u4e2d'.repeat(40)]])[0]).toBe(`\r\u001b[K${'\u4e2d'.repeat(10)}`);
});

it('writes a line every ten seconds elsewhere, and no control characters', () => {
  expect(
    show({}, [
      [0, 'one'],
      [9_999, 'two'],
      [10_000, 'three'],
      [15_000, 'four'],
      [20_000, 'five'],
    ]),
  ).toEqual(['three\n', 'five\n']);
});

it('does not end the command when its reader went away', async () => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  createProgressLine(Object.assign(output, { isTTY: true })).show('one');
  await new Promise((resolve) => output.once('close', resolve));
  expect(output.errored?.message).toBe('EPIPE');
  // An error without a listener ends the process.
  expect(output.listenerCount('error')).toBe(1);
});
