import type { Diagnostic } from '../model/diagnostic.ts';

/** One finding and every further place where the same is said, in the order they came. */
export interface FoldedFinding<Found> {
  first: Found;
  others: Found[];
}

type Comparable = Pick<Diagnostic, 'path' | 'severity' | 'code' | 'message'>;

/** Findings about a file as such: many files of a folder make one row. */
const ABOUT_FILES: ReadonlySet<string> = new Set(['orphan-file', 'unreachable-scene']);

/**
 * Puts findings that say the same of one file (or, about files as such, of one folder) together, each group where its
 * first stands. Nothing is left out.
 */
export function foldRepeats<Found extends Comparable>(findings: readonly Found[]): FoldedFinding<Found>[] {
  const groups = new Map<string, FoldedFinding<Found>>();
  for (const finding of findings) {
    const { path, severity, code, message } = finding;
    const place = ABOUT_FILES.has(code) ? path.slice(0, path.lastIndexOf('/') + 1) : path;
    const key = JSON.stringify([place, severity, code, message]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: finding, others: [] });
    else group.others.push(finding);
  }
  return [...groups.values()];
}
