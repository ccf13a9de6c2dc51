import type { PlaytestResult } from '../../../shared/model/playtest/playtest-state.ts';
import type { StoryTest, StoryTestResult } from '../../../shared/model/playtest/story-test.ts';

interface TestRow {
  key: string;
  name: string;
  /** The place in the file; null for a test that is not in it. */
  at: number | null;
  /** The last result; null if it was not played yet. */
  result: StoryTestResult | null;
}

/**
 * Pairs the tests of the file with their last results by name; of tests with one name, in order. Other results are of tests in a proposal
 * that was played; without one they are of tests that were removed since.
 */
export function toTestRows(
  tests: readonly StoryTest[],
  played: Pick<PlaytestResult, 'tests' | 'request'> | null,
): TestRow[] {
  const left = [...(played?.tests ?? [])];
  const rows = tests.map(({ name }, at): TestRow => {
    const found = left.findIndex((result) => result.name === name);
    const [result = null] = found < 0 ? [] : left.splice(found, 1);
    return { key: `${at}`, name, at, result };
  });
  if (played?.request.source !== 'proposed') return rows;
  return [...rows, ...left.map((result, place) => ({ key: `other ${place}`, name: result.name, at: null, result }))];
}
