import { expect, test } from 'vitest';
import { createMemoryDisk } from '../../../../tests/support/chat-kit.ts';
import { readScopedFacts } from './bible-scopes.ts';

const scene = (...next: string[]): string =>
  next.length === 0 ? 'A:hi;\nend;\n' : `choose:${next.map((name) => `Go ${name}:${name}.txt`).join('|')};\n`;

/** start → a | b; a → meet; meet → end; b → end; end → start. */
const GAME = {
  'game/scene/start.txt': scene('a', 'b'),
  'game/scene/a.txt': scene('meet'),
  'game/scene/meet.txt': scene('kiss'),
  'game/scene/kiss.txt': scene('end'),
  'game/scene/b.txt': scene('end'),
  'game/scene/end.txt': scene('start'),
};
const read = (bible: string | null) => readScopedFacts(createMemoryDisk(GAME).reader, bible);

test('lists the scenes in which a fact always holds, and those where it depends on the route', async () => {
  expect(await read('## They are friends (from meet on)\n')).toEqual([
    {
      fact: 'They are friends (from meet on)',
      from: 'meet.txt',
      holds: ['meet.txt', 'kiss.txt'],
      dependsOnRoute: ['end.txt'],
    },
  ]);
});

test('returns all scenes for a fact that holds from the first scene on', async () => {
  const [fact] = await read('(from start on)');
  expect(fact?.holds).toHaveLength(6);
  expect(fact?.dependsOnRoute).toBeUndefined();
});

test('returns no facts for a bible without a note of a scene', async () => {
  expect(await read('Yuki comes from Osaka.')).toEqual([]);
  expect(await read(null)).toEqual([]);
});
