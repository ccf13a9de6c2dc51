import { expect, test } from 'vitest';
import { toProposeInput } from './propose-input.ts';

const disk: Record<string, { text: string; version: string | null }> = {
  'a.txt': { text: 'one', version: 'v1' },
  'b.txt': { text: 'two', version: 'v2' },
};
const readSaved = async (path: string) => disk[path] ?? { text: '', version: null };

test('contains the version of each file and the previous path of a moved one', async () => {
  const changes = [
    { path: 'a.txt', before: 'one', after: 'eins' },
    { path: 'b.txt', before: 'two', after: null },
    { path: 'c.txt', before: null, after: 'two', from: 'b.txt' },
  ];
  expect(await toProposeInput(changes, 'x'.repeat(300), readSaved)).toEqual({
    title: 'x'.repeat(200),
    changes: [
      { path: 'a.txt', text: 'eins', version: 'v1' },
      { path: 'b.txt', text: null, version: 'v2' },
      { path: 'c.txt', text: 'two', version: null, from: 'b.txt' },
    ],
  });
});

test('reads thousands of files, a hundred at a time', async () => {
  let reading = 0;
  let most = 0;
  const changes = Array.from({ length: 2_345 }, (_, at) => ({ path: `${at}.txt`, before: '', after: 'x' }));
  const asked = await toProposeInput(changes, 'x', async () => {
    reading += 1;
    most = Math.max(most, reading);
    await Promise.resolve();
    reading -= 1;
    return { text: '', version: 'v1' };
  });
  expect([asked.changes.length, asked.changes.at(-1)?.path, most]).toEqual([2_345, '2344.txt', 100]);
});

test('rejects when a text changed since the change was computed, and lists the paths', async () => {
  const changes = [
    { path: 'a.txt', before: 'one', after: 'eins' },
    { path: 'b.txt', before: 'zwei', after: 'drei' },
  ];
  await expect(toProposeInput(changes, 'x', readSaved)).rejects.toMatchObject({
    code: 'E_CONFLICT',
    reason: 'write.conflict',
    details: { paths: ['b.txt'] },
  });
});
