import { expect, test } from 'vitest';
import type { RoutePart } from '../engine-driver.ts';
import { Observations } from './observations.ts';

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
