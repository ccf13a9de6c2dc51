import { expect, it } from 'vitest';
import { toUnplayedPart } from './unplayed-part.ts';

const scene = (played: number, ...never: [number, number][]) => ({
  ...{ path: 'game/scene/a.txt', lines: 10, played },
  never: never.map(([first, last]) => ({ first, last })),
});

it.each([
  ['a scene that is not known', undefined, [1, 10], null],
  ['every line played', scene(10), [1, 10], null],
  ['no line played', scene(0, [1, 10]), [1, 10], 'never'],
  ['some lines not played', scene(7, [4, 6]), [1, 10], 'partly'],
  ['a passage without them', scene(7, [4, 6]), [7, 10], null],
  ['a passage of them, after its label', scene(7, [4, 6]), [3, 6], 'never'],
  ['a passage with some of them', scene(7, [4, 6]), [3, 8], 'partly'],
] as const)('tells what a playtest left out: %s', (_, known, [line, endLine], expected) => {
  expect(toUnplayedPart(known, { line, endLine })).toBe(expected);
});
