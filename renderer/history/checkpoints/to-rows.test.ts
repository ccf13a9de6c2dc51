import { expect, it } from 'vitest';
import { toRows } from './to-rows.ts';

it('groups files by kind in a fixed order and omits kinds without files', () => {
  const file = (path: string) => ({ path, before: 1, after: null });
  const rows = toRows(
    ['game/bgm/a.mp3', 'game/figure/a.png', 'game/config.txt', 'game/scene/a.txt', 'game/scene/b.txt'].map(file),
  );
  expect(rows.map(({ key }) => key)).toEqual([
    ...['scenes', 'game/scene/a.txt', 'game/scene/b.txt'],
    ...['pictures', 'game/figure/a.png', 'sounds', 'game/bgm/a.mp3', 'others', 'game/config.txt'],
  ]);
  expect(toRows([file('game/scene/a.txt')])).toHaveLength(2);
});
