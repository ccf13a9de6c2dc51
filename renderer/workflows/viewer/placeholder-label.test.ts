import { expect, it } from 'vitest';
import { toPlaceholderLabel } from './placeholder-label.ts';

it('names a placeholder as its file, without folder and extension', () => {
  const names = [
    'game/figure/雪/笑顔.webp',
    'game/figure/a.b.png',
    'game/figure/.png',
    `game/figure/${'😀'.repeat(90)}.png`,
  ];
  expect(names.map((path) => toPlaceholderLabel(path).name)).toEqual(['笑顔', 'a.b', '.png', '😀'.repeat(60)]);
});

it('gives pictures of one figure one colour', () => {
  const hues = ['aki-smile', 'aki_sad', 'aki', 'aki.crying', 'yu-smile'].map(
    (name) => toPlaceholderLabel(`game/figure/${name}.png`).hue,
  );
  expect(new Set(hues.slice(0, 4)).size).toBe(1);
  expect(hues[4]).not.toBe(hues[0]);
  for (const hue of hues) expect(hue).toBeGreaterThanOrEqual(0);
});
