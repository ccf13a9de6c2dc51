import { expect, test } from 'vitest';
import { toProposeInput } from './propose-input.ts';

const disk: Record<string, { text: string; version: string | null }> = {
  'a.txt': { text: 'one', version: 'v1' },
  'b.txt': { text: 'two', version: 'v2' },
};
const look = async (path: string) => disk[path] ?? { text: '', version: null };

test('names the version of each file, and what a moved one was', async () => {
  const changes = [
    { path: 'a.txt', before: 'one', after: 'eins' },
    { path: 'b.txt', before: 'two', after: null },
    { path: 'c.txt', before: null, after: 'two', from: 'b.txt' },
  ];
  expect(await toProposeInput(changes, 'x'.repeat(300), look)).toEqual({
    title: 'x'.repeat(200),
    changes: [
      { path: 'a.txt', text: 'eins', version: 'v1' },
      { path: 'b.txt', text: null, version: 'v2' },
      { path: 'c.txt', text: 'two', version: null, from: 'b.txt' },
    ],
  });
});

test('asks for nothing when a text is not what the change was worked out on, and says which', async () => {
  const changes = [
    { path: 'a.txt', before: 'one', after: 'eins' },
    { path: 'b.txt', before: 'zwei', after: 'drei' },
  ];
  await expect(toProposeInput(changes, 'x', look)).rejects.toMatchObject({
    code: 'E_CONFLICT',
    reason: 'write.conflict',
    details: { paths: ['b.txt'] },
  });
});
