import { expect, test } from 'vitest';
import { toProposeInput } from './propose-input.ts';

const disk: Record<string, { text: string; version: string | null }> = {
  'a.txt': { text: 'one', version: 'v1' },
  'b.txt': { text: 'two', version: 'v2' },
};
const readSaved = async (paths: readonly string[]) => paths.map((path) => disk[path] ?? { text: '', version: null });

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

test('reads thousands of files, some hundred at a time, and no file that is new', async () => {
  const sizes: number[] = [];
  const changes = Array.from({ length: 2_345 }, (_, at) => ({
    path: `${at}.txt`,
    before: at % 2 ? '' : null,
    after: 'x',
  }));
  const asked = await toProposeInput(changes, 'x', async (paths) => {
    sizes.push(paths.length);
    return paths.map((path) => ({ text: '', version: `v${path}` }));
  });
  expect(sizes).toEqual([500, 500, 172]);
  expect(asked.changes).toHaveLength(2_345);
  expect(asked.changes.slice(-2)).toEqual([
    { path: '2343.txt', text: 'x', version: 'v2343.txt' },
    { path: '2344.txt', text: 'x', version: null },
  ]);
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
