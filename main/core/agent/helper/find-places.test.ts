import { expect, it } from 'vitest';
import { findPlaces } from './find-places.ts';

const read = new Set(['game/scene/start.txt', 'game/scene/雨夜.txt']);

it.each([
  ['见 game/scene/start.txt:12 和 start.txt:13。', ['game/scene/start.txt:12', 'game/scene/start.txt:13']],
  ['(game/scene/雨夜.txt:3)', ['game/scene/雨夜.txt:3']],
  ['start.txt:12, start.txt:12', ['game/scene/start.txt:12']],
  ['never-read.txt:4, at 12:30', []],
])('finds the places of %j', (text, places) => {
  expect(findPlaces(text, read)).toEqual(places);
});
