import { expect, it } from 'vitest';
import { raceWriters } from '../support/attacks/race-writers.ts';
import { toRuns } from '../support/thorough.ts';

it.concurrent.each([
  ['one file', { rounds: toRuns(300), files: 1 }],
  ['three files as one change', { rounds: toRuns(100), files: 3 }],
  ['one file, three programs', { rounds: toRuns(100), files: 1, writers: 3 }],
])(
  'exactly one of several programs that change the same text at once succeeds: %s',
  async (_, race) => {
    expect(await raceWriters(race)).toEqual({ rounds: race.rounds, won: race.rounds, broken: [] });
  },
  120_000,
);
