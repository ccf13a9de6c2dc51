import { expect, test } from 'vitest';
import { findBibleScopes, findLostScopes } from './find-bible-scopes.ts';

const SCENES = ['game/scene/start.txt', 'game/scene/chapter2.txt', 'game/scene/第三章.txt', 'game/scene/route/end.txt'];
const find = (text: string) => findBibleScopes(text, SCENES).map(({ from }) => from.slice('game/scene/'.length));

test.each([
  ['## Yuki knows (from chapter2 on)', 'chapter2.txt'],
  ['- Yuki knows, from scene "chapter2.txt" onwards', 'chapter2.txt'],
  ['They are friends since Chapter2.', 'chapter2.txt'],
  ['- starting with game/scene/route/end.txt: it snows', 'route/end.txt'],
  ['## 雪乃的秘密（从 chapter2 起）', 'chapter2.txt'],
  ['- 自「第三章」开始，两人已经和好', '第三章.txt'],
  ['從第三章之後下雪', '第三章.txt'],
  ['## 雪乃の秘密（chapter2から）', 'chapter2.txt'],
  ['- 第三章以降、雪が降る', '第三章.txt'],
  ['（シーン end から）', 'route/end.txt'],
])('finds the scene of %s', (line, scene) => {
  expect(find(line)).toEqual([scene]);
});

test.each([
  'Yuki comes from Osaka.',
  'a letter from the past',
  '雪乃从北京来',
  '从明天起不再等',
  '大阪から来た',
  'chapter2 is sad',
])('ignores %s', (line) => {
  expect(find(line)).toEqual([]);
});

test('accepts a file name without its folder only if it is unique', () => {
  const scenes = ['game/scene/a/end.txt', 'game/scene/b/end.txt'];
  expect(findBibleScopes('(from end on)\n(from b/end on)', scenes).map(({ from }) => from)).toEqual([scenes[1]]);
});

test('returns at most 40 scopes, and reads hostile text in linear time', () => {
  expect(find('(from chapter2 on)\n'.repeat(2000))).toHaveLength(40);
  expect(find(`從${'從 '.repeat(16_000)}`)).toEqual([]);
  expect(find('a'.repeat(32_000))).toEqual([]);
});

test('lists the scopes that a new text no longer contains', () => {
  expect(findLostScopes('## A（从 ch2 起）\nx (from ch3 on)', '## A（从 ch2 起）\nx')).toEqual(['from ch3 on']);
  expect(findLostScopes('plain', 'other')).toEqual([]);
});
