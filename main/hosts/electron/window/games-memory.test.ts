import { expect, it } from 'vitest';
import { findTooLargeGames } from './games-memory.ts';

const GIGABYTE_KB = 1024 * 1024;

/** The app with its page (3), a game on the stage (4) and one in a playtest (5); sizes in GB. */
const toProcesses = ({ main = 0.25, drawing = 0.25, page = 0.2, stage = 0.3, playtest = 0.2 }) =>
  [
    { pid: 1, type: 'Browser', size: main },
    { pid: 2, type: 'GPU', size: drawing },
    { pid: 3, type: 'Tab', size: page },
    { pid: 4, type: 'Tab', size: stage },
    { pid: 5, type: 'Tab', size: playtest },
  ].map(({ size, ...one }) => ({ ...one, memory: { workingSetSize: size * GIGABYTE_KB } }));

it.each([
  ['usual sizes', {}, []],
  ['large pictures', { stage: 1.4, drawing: 0.8, playtest: 1.4 }, []],
  ['a large page of the app', { page: 5 }, []],
  ['a stage without end', { stage: 2.1 }, [4]],
  ['textures without end', { drawing: 2.1 }, [4, 5]],
  ['blobs without end', { main: 2.1 }, [4, 5]],
  ['a little too much of each', { stage: 1.4, playtest: 1.4, drawing: 1.4 }, [4, 5]],
])('ends games, and never pages of the app: %s', (_what, sizes, ended) => {
  expect(findTooLargeGames(toProcesses(sizes), new Set([3]))).toEqual(ended);
});

it('ends nothing where no game runs', () => {
  const processes = toProcesses({ main: 3 }).slice(0, 3);
  expect(findTooLargeGames(processes, new Set([3]))).toEqual([]);
});
