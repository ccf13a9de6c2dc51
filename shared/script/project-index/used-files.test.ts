import { expect, test } from 'vitest';
import { UsedFiles } from './used-files.ts';

const FIGURES = 'game/figure/';

test.each([
  ['game/figure/Yuki.png', 'game/figure/Yuki.png', true],
  ['game/figure/yuki.PNG', 'game/figure/Yuki.png', true],
  ['Yuki.png', 'game/figure/yuki.png', true],
  ['game/figure/yuki.png', 'game/figure/haru.png', false],
  ['yuki', 'game/figure/yuki.png', false],
])('with %s in use, answers for %s: %s', (name, path, isUsed) => {
  expect(new UsedFiles([name]).has(path, FIGURES)).toBe(isUsed);
});

test('includes names added after the first answer', () => {
  const used = new UsedFiles([]);
  expect(used.has('game/figure/yuki.png', FIGURES)).toBe(false);
  used.add('game/figure/YUKI.png');
  expect(used.has('game/figure/yuki.png', FIGURES)).toBe(true);
});
