import { z } from 'zod';

/**
 * What a call would do to texts, short enough to be read before one says yes. Bounded by whoever makes it; the words are
 * those of the files, with what cannot be seen spelt out.
 */
export const ChangeSummary = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      /** `lineEndings`: nothing but how lines end changes; no lines are shown. */
      kind: z.enum(['new', 'changed', 'removed', 'lineEndings']),
      added: z.int().min(0),
      removed: z.int().min(0),
      /** `+` or `-` and a line of the text, or `@` and the number of the line in the new text where a place begins. */
      lines: z.array(z.string()),
    }),
  ),
  /** Changed lines that are not shown. */
  more: z.int().min(0),
});
export type ChangeSummary = z.infer<typeof ChangeSummary>;
