import { z } from 'zod';
import { ChosenOption } from './chosen-option.ts';
import { Pick, PlaytestPlace } from './picks.ts';

/** Where the tests of a story are written, by the user or the assistant. */
export const STORY_TESTS_PATH = 'game/story-tests.json';

const Value = z.union([z.string().max(1_000), z.number(), z.boolean()]);

export const VariableCheck = z.strictObject({
  name: z.string().min(1).max(200),
  is: z.enum(['==', '!=', '>', '>=', '<', '<=']),
  value: Value,
});
export type VariableCheck = z.infer<typeof VariableCheck>;

/** One test: the options that are chosen, by their text as players see it, and what must hold then. */
export const StoryTest = z.strictObject({
  name: z.string().min(1).max(200),
  choose: z.array(ChosenOption).max(500),
  /** Answers to questions (`getUserInput`), in order. */
  inputs: z.array(z.string().max(500)).max(100).optional(),
  expect: z.strictObject({
    /** The scene whose `end` is reached, relative to game/scene. */
    ending: z.string().min(1).max(300).optional(),
    /** A scene that is played on the way. */
    scene: z.string().min(1).max(300).optional(),
    variables: z.array(VariableCheck).max(100).optional(),
  }),
});
export type StoryTest = z.infer<typeof StoryTest>;

export const StoryTests = z.strictObject({ tests: z.array(StoryTest).max(500) });
export type StoryTests = z.infer<typeof StoryTests>;

/** Why a test failed; the texts are `playtest:failure.<reason>`. */
export const StoryTestFailure = z.object({
  reason: z.enum(['no-option', 'ended', 'waits', 'fault', 'other-ending', 'no-scene', 'variable']),
  /** The option, scene, fault or variable. */
  expected: z.string(),
  found: z.string(),
});
export type StoryTestFailure = z.infer<typeof StoryTestFailure>;

export const StoryTestResult = z.object({
  name: z.string(),
  /** Where the test ended. */
  place: PlaytestPlace,
  picks: z.array(Pick),
  /** Null if it passed. */
  failure: StoryTestFailure.nullable(),
});
export type StoryTestResult = z.infer<typeof StoryTestResult>;
