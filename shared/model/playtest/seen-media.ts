import { z } from 'zod';

/** Pictures, sounds and films that an engine asked for; paths relative to the project. */
export const SeenMedia = z.object({
  /** Files without a byte. */
  empty: z.array(z.string()),
  /** Files that no browser can read, for another reason. */
  damaged: z.array(z.string()),
  /** Whether a browser can read any of them. */
  isAnyWhole: z.boolean(),
});
export type SeenMedia = z.infer<typeof SeenMedia>;
