import { expect, test } from 'vitest';
import { toPictureText } from './picture-text.ts';

const BASE = 'http://127.0.0.1:4000/game/';

test.each([
  ['game/background/sea.png', '![](http://127.0.0.1:4000/game/game/background/sea.png|width=200)'],
  // A file name must not be able to end the URL and inject markup.
  ['game/figure/a b(1)](x).webp', '![](http://127.0.0.1:4000/game/game/figure/a%20b%281%29%5D%28x%29.webp|width=200)'],
  ['game/bgm/rain.mp3', ''],
  ['game/background/sea.svg', ''],
])('%s', (path, expected) => {
  expect(toPictureText(BASE, path)).toBe(expected);
});

test('uses the given width, and is empty while no stage serves the file', () => {
  expect(toPictureText(BASE, 'game/figure/a.png', 90)).toContain('|width=90)');
  expect(toPictureText(null, 'game/figure/a.png')).toBe('');
});
