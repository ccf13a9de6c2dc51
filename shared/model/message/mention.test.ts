import { expect, it } from 'vitest';
import { Mention, toMentionKey, toMentionName } from './mention.ts';

const path = 'game/scene/act1/rain.txt';

it.each<[Mention, string]>([
  [{ kind: 'scene', path }, 'act1/rain.txt'],
  [{ kind: 'asset', path: 'game/figure/xue/smile.png' }, 'xue/smile.png'],
  [{ kind: 'asset', path: 'game/config.txt' }, 'game/config.txt'],
  [{ kind: 'label', path, name: 'end', line: 3 }, 'end'],
  [{ kind: 'character', name: '雪' }, '雪'],
  [{ kind: 'selection', path, line: 3, text: 'A:hi;' }, 'act1/rain.txt:3'],
  [{ kind: 'selection', path, line: 3, text: 'A:hi;\nB:yes;\n' }, 'act1/rain.txt:3-4'],
  [{ kind: 'problem', path, line: 9, message: 'x' }, 'act1/rain.txt:9'],
])('names a mention: %o', (mention, name) => {
  expect(toMentionName(mention)).toBe(name);
});

it('has one key for a label that moved, and different ones for the same name elsewhere', () => {
  const label = { kind: 'label', path, name: 'end', line: 3 } as const;
  expect(toMentionKey({ ...label, line: 9 })).toBe(toMentionKey(label));
  expect(toMentionKey({ ...label, path: 'game/scene/b.txt' })).not.toBe(toMentionKey(label));
  expect(toMentionKey({ kind: 'scene', path })).not.toBe(toMentionKey({ kind: 'asset', path }));
});

it('rejects paths that leave the game and unknown fields', () => {
  expect(Mention.safeParse({ kind: 'scene', path: '../x' }).success).toBe(false);
  expect(Mention.safeParse({ kind: 'scene', path, extra: 1 }).success).toBe(false);
});
