import { expect, it } from 'vitest';
import { raceWriters } from '../support/attacks/race-writers.ts';

it.each([
  ['one file', { rounds: 300, files: 1 }],
  ['three files as one change', { rounds: 100, files: 3 }],
  ['one file, three programs', { rounds: 100, files: 1, writers: 3 }],
])(
  'exactly one of several programs that change the same text at once succeeds: %s',
  async (_, race) => {
    expect(await raceWriters(race)).toEqual({ rounds: race.rounds, won: race.rounds, broken: [] });
  },
  120_000,
);
