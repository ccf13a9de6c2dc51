import { z } from 'zod';

/** What the player did: an option of a menu (`nth` of those with its text that could be chosen, from 1), or a text typed for the game. */
export const RouteStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('choice'), text: z.string(), nth: z.int().min(1) }),
  z.object({ kind: z.literal('input'), text: z.string() }),
]);
export type RouteStep = z.infer<typeof RouteStep>;

/** More than the steps of a story test; the route is over then. */
export const MAX_ROUTE = 500;

/** What the player did since the start of the game. */
export const StageRoute = z.object({
  /** The oldest first. */
  steps: z.array(RouteStep).max(MAX_ROUTE),
  /** True while the user records it. */
  isRecording: z.boolean(),
  /** True when the story has come to its end or went back to the title; nothing is added any more. */
  isOver: z.boolean(),
  /** True if a variable was set by hand, which a story test cannot do. */
  hasSetVariable: z.boolean(),
});
export type StageRoute = z.infer<typeof StageRoute>;
