import { expect, test } from 'vitest';
import type { SeenMedia } from '../../../../shared/model/playtest/seen-media.ts';
import { judgeMedia, mergeMedia } from './seen-media.ts';

const seen = (empty: number, more: Partial<SeenMedia> = {}): SeenMedia => ({
  empty: Array.from({ length: empty }, (_, at) => `game/figure/${at}.png`),
  damaged: [],
  isAnyWhole: false,
  ...more,
});

test.each([
  ['a few empty files', seen(4), 4, 0],
  ['an empty file among whole ones', seen(9, { isAnyWhole: true }), 9, 0],
  ['a copy for its text', seen(5), 0, 5],
  ['damaged files of such a copy', seen(5, { damaged: ['game/bgm/a.mp3'] }), 1, 5],
])('of %s', (_, media, unreadable, untold) => {
  const judged = judgeMedia(media);
  expect([judged.unreadable.length, judged.untold.size]).toEqual([unreadable, untold]);
});

test('a run that goes on judges what both parts saw', () => {
  const both = mergeMedia(seen(3), {
    ...seen(3, { damaged: ['a'] }),
    empty: ['game/tex/snow.png', 'game/figure/0.png'],
  });
  expect(both.empty).toHaveLength(4);
  expect(judgeMedia(both).unreadable).toHaveLength(5);
  expect(mergeMedia(both, seen(1, { isAnyWhole: true })).isAnyWhole).toBe(true);
  expect(mergeMedia(both, undefined)).toBe(both);
});
