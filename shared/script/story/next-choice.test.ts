import { expect, it } from 'vitest';
import { findNextChoice } from './next-choice.ts';

const GAME: Record<string, string> = {
  'start.txt':
    'label:a;\nYuki:a;\njumpLabel:after;\nlabel:b;\nchoose:Of b:b;\nlabel:after;\ncallScene:aside.txt;\nchangeScene:next.txt;',
  'aside.txt': 'Yuki:aside;\nchangeScene:other.txt -when=x;',
  'next.txt': 'Yuki:next;\nchoose:Yes:yes|No:no;',
  'round.txt': 'label:r;\njumpLabel:r;',
  'lost.txt': 'jumpLabel:nowhere;\nchoose:Here:here;',
  'over.txt': 'end;\nchoose:Never:never;',
};
const find = (scene: string, line: number) =>
  findNextChoice({ path: `game/scene/${scene}`, line }, async (path) => GAME[path.slice('game/scene/'.length)] ?? '');

it('follows jumps, comes back from called scenes and passes conditions by', async () => {
  expect(await find('start.txt', 2)).toEqual({ path: 'game/scene/next.txt', line: 2 });
  expect(await find('start.txt', 4)).toEqual({ path: 'game/scene/start.txt', line: 5 });
  expect(await find('start.txt', 5)).toEqual({ path: 'game/scene/next.txt', line: 2 });
});

it('ends in a circle, and where the story ends; a jump without its label is none', async () => {
  expect([await find('round.txt', 0), await find('over.txt', 0), await find('next.txt', 2)]).toEqual([
    null,
    null,
    null,
  ]);
  expect(await find('lost.txt', 0)).toEqual({ path: 'game/scene/lost.txt', line: 2 });
});
