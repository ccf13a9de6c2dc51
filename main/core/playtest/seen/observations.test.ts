import { expect, test } from 'vitest';
import type { RoutePart } from '../engine-driver.ts';
import { Observations } from './observations.ts';

const FAULT = { level: 'exception', text: 'broken', scene: 'game/scene/start.txt' };
const PART = {
  ...{ stop: 'end', scene: 'game/scene/start.txt', line: 1, stack: [], played: [], skipped: [] },
  ...{ steps: 1, variables: {}, overflows: [], options: [], choice: null },
};

test('what scripts of the game do before its first scene is told at its first line', () => {
  const observations = new Observations(() => false);
  const problem = { level: 'blocked' as const, text: '  https://stranger.example/\n  x', scene: '', line: 0 };
  const part: RoutePart = {
    ...{ stop: 'end', scene: './game/scene/start.txt', line: 1, stack: [], played: [], skipped: [] },
    ...{ steps: 1, variables: {}, problems: [problem], overflows: [], options: [], choice: null, endings: [] },
  } as never;
  observations.add(part, []);
  expect(observations.all()).toMatchObject([
    {
      code: 'blocked-address',
      place: { path: 'game/scene/start.txt', line: 1 },
      subject: 'https://stranger.example/ x',
    },
  ]);
});

test('a fault beyond those that are kept is told of no other', () => {
  const observations = new Observations(() => false);
  const add = (from: number, count: number) => {
    const problems = Array.from({ length: count }, (_, at) => ({ ...FAULT, line: from + at }));
    return observations.add({ ...PART, problems } as never, []);
  };
  expect(add(0, 2_000)).toHaveLength(2_000);
  expect([add(5_000, 3), observations.isFull, observations.size]).toEqual([[], true, 2_000]);
  // A known one still is.
  expect(add(7, 1)).toEqual([7]);
});
