import { z } from 'zod';

/**
 * A run of a merged text: lines that are settled, or lines that both sides changed. Lines carry no line feed;
 * what follows the last one is a line, too, so that the texts of all runs joined by line feeds are the whole text.
 */
export const MergePart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merged'), lines: z.array(z.string()) }),
  z.object({ kind: z.literal('conflict'), mine: z.array(z.string()), theirs: z.array(z.string()) }),
]);
export type MergePart = z.infer<typeof MergePart>;

/** Which text stands where both sides changed: one of them, or both, the own one last. */
export type MergeChoice = 'mine' | 'theirs' | 'both';

/** The merged text with line feeds. `choices` says what stands in each conflict, in order; the own text when left out. */
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
