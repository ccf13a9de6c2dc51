import { z } from 'zod';
import { ErrorData } from '../../errors.ts';
import { PlaytestSource } from './playtest-state.ts';
import { StoryTest } from './story-test.ts';

/** The tests of a story as they are on the disk. */
export const StoryTestsFile = z.object({
  tests: z.array(StoryTest),
  /** The version of the file; null: there is none, or it cannot be read. */
  version: z.string().nullable(),
  /** Why the file cannot be used; it is not written then. */
  fault: ErrorData.nullable(),
});
export type StoryTestsFile = z.infer<typeof StoryTestsFile>;

/** A change of one test: added at the end (`at` null), replaced or, without `test`, removed at its place in the file. */
export const TestsChange = z.strictObject({
  version: z.string().nullable(),
  at: z.int().min(0).nullable(),
  test: StoryTest.nullable(),
});
export type TestsChange = z.infer<typeof TestsChange>;

/** A route to play once: what a test chooses and types. */
export const RouteRequest = z.strictObject({
  source: PlaytestSource,
  choose: StoryTest.shape.choose,
  inputs: StoryTest.shape.inputs,
});
export type RouteRequest = z.infer<typeof RouteRequest>;
