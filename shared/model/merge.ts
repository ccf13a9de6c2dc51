import { z } from 'zod';

/**
 * A run of a merged text: merged lines, or lines that both sides changed. Lines contain no line feed; an empty line
 * stands for what follows the last line feed, so that the lines of all runs joined by line feeds are the whole text.
 */
export const MergePart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merged'), lines: z.array(z.string()) }),
  z.object({ kind: z.literal('conflict'), mine: z.array(z.string()), theirs: z.array(z.string()) }),
]);
export type MergePart = z.infer<typeof MergePart>;

/** Which side is used for a conflict: one of them, or both, `mine` last. */
export type MergeChoice = 'mine' | 'theirs' | 'both';

/** The merged text with line feeds. `choices` holds one choice per conflict, in order; `mine` when omitted. */
export function toMergedText(parts: readonly MergePart[], choices: readonly MergeChoice[] = []): string {
  let conflicts = 0;
  const lines = parts.flatMap((part) => {
    if (part.kind === 'merged') return part.lines;
    const choice = choices[conflicts++] ?? 'mine';
    if (choice === 'both') return [...part.theirs, ...part.mine];
    return part[choice];
  });
  return lines.join('\n');
}
