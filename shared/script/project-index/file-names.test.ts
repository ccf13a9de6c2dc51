import { expect, test } from 'vitest';
import { FileNames } from './file-names.ts';

test.each([
  // Two of the three characters differ; the ending that they share is no part of the name.
  ['竹林2.png', '塔底2.png', false],
  ['竹林2.png', '竹林3.png', true],
  ['竹林.png', '竹林2.png', true],
  ['bamboo-grove.png', 'bambo-grove.png', true],
  ['bambooo-grov.png', 'bamboo-grove.png', true],
  ['rain.png', 'rain.webp', true],
])('%s and %s', (name, there, isNear) => {
  const files = new FileNames();
  files.setAll([`game/background/${there}`]);
  expect(files.near('background', name)).toEqual(isNear ? [there] : []);
});
