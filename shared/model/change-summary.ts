import { z } from 'zod';

/**
 * What a call would change in texts, short enough to review before allowing it. The creator bounds its size; the texts
 * are those of the files, with invisible characters spelled out.
 */
export const ChangeSummary = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      /** `lineEndings`: only line endings change; no lines are listed. */
      kind: z.enum(['new', 'changed', 'removed', 'lineEndings']),
      added: z.int().min(0),
      removed: z.int().min(0),
      /** `+` or `-` and a line of the text, or `@` and the line number in the new text where a hunk begins. */
      lines: z.array(z.string()),
    }),
  ),
  /** Number of changed lines that are not listed. */
  more: z.int().min(0),
});
export type ChangeSummary = z.infer<typeof ChangeSummary>;
