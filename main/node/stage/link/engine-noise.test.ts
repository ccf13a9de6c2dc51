import { expect, test } from 'vitest';
import { isIdleTalk, isReportedFile } from './engine-noise.ts';

test.each([
  ['game/figure/yuki.png', true],
  ['beep.mp3', true],
  // What the engine fetches before it knows the variable.
  ['game/figure/{who}.png', false],
  ['game/template/template.json', false],
  ['assets/index.js', false],
])('%s is worth a word: %s', (path, isReported) => {
  expect(isReportedFile(path)).toBe(isReported);
});

test('the editor’s port is no address that a game tried to reach, every other is', () => {
  const host = 'stage-0123456789abcdef.localhost';
  expect([`ws://${host}:9999/`, `ws://${host}:9998/`, 'ws://127.0.0.1:9999/'].map(isIdleTalk)).toEqual([
    true,
    false,
    false,
  ]);
});
