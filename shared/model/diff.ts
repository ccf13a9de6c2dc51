import { z } from 'zod';

/**
 * A run of changed lines. Lines are 1-based; `lenOld` 0 means pure insertion before `startOld`. Lines contain no line
 * feed; a carriage return stays with its line.
 */
export const Hunk = z.object({
  startOld: z.int().min(1),
  lenOld: z.int().min(0),
  startNew: z.int().min(1),
  lenNew: z.int().min(0),
  linesOld: z.array(z.string()),
  linesNew: z.array(z.string()),
});
export type Hunk = z.infer<typeof Hunk>;

export const Diff = z.object({ type: z.literal('line'), hunks: z.array(Hunk) });
export type Diff = z.infer<typeof Diff>;
