import { expect, test } from 'vitest';
import { isReportedFile } from './engine-noise.ts';

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
