import { z } from 'zod';
import { StoryValue } from '../stage.ts';
import { StoryTestResult } from './story-test.ts';

/** What one way through the story reached on the engine. Scenes are project paths. */
const Reached = z.object({
  /** The scene with the `end`; null if the story goes on to another menu. */
  ending: z.string().nullable(),
  /** The scenes that were played, in order. */
  scenes: z.array(z.string()),
  /** Values when the story ended, or at the next menu. */
  variables: z.record(z.string(), StoryValue),
});

export const TriedRoute = z.object({ result: StoryTestResult, reached: Reached });
export type TriedRoute = z.infer<typeof TriedRoute>;
