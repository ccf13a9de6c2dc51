import { expect, it } from 'vitest';
import { createUnreadableMedia } from './unreadable-media.ts';

it('reports empty files once another one is whole', () => {
  const reported: string[] = [];
  const media = createUnreadableMedia((path) => reported.push(path));
  media.add('game/background/a.png', 'empty');
  media.add('game/figure/b.png', 'damaged');
  // Every game has these.
  media.add('icons/icon.png', null);
  expect(reported).toEqual(['game/figure/b.png']);
  media.add('game/figure/c.png', null);
  media.add('game/figure/d.png', 'empty');
  media.add('icons/icon.png', 'damaged');
  expect(reported).toEqual(['game/figure/b.png', 'game/background/a.png', 'game/figure/d.png']);
});
