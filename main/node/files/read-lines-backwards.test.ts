import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLinesBackwards } from './read-lines-backwards.ts';

let root = '';
let file = '';
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'lines-'));
  file = path.join(root, 'log.jsonl');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function read(options: { maxBytes: number; chunkBytes?: number }): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for await (const batch of readLinesBackwards(file, 'log', options))
    found.push(...batch.map((line) => (line === null ? null : line.toString('utf8'))));
  return found;
}

it('yields the whole lines in reverse order, whatever the chunk boundaries', async () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '雨', '\n', '\n', 'long line '), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 12 }),
      async (parts, chunk, most) => {
        const whole = parts.join('');
        await writeFile(file, whole);
        const lines = whole.split('\n').slice(0, -1).reverse();
        const expected = lines.map((line) => (Buffer.byteLength(line) > most ? null : line));
        expect(await read({ maxBytes: most, chunkBytes: chunk })).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

it('yields no line without a file, and refuses a folder', async () => {
  expect(await read({ maxBytes: 10 })).toEqual([]);
  await mkdir(file);
  await expect(read({ maxBytes: 10 })).rejects.toMatchObject({ code: 'E_DENY_PATH' });
});
