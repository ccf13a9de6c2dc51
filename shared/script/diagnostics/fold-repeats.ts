import type { Diagnostic } from '../../model/diagnostic.ts';

/** A finding and all further ones with the same message, in their original order. */
export interface FoldedFinding<Found> {
  first: Found;
  others: Found[];
}

type Comparable = Pick<Diagnostic, 'path' | 'severity' | 'code' | 'message'>;

/** Codes about files: findings in one folder are grouped. */
const ABOUT_FILES: ReadonlySet<string> = new Set(['orphan-file', 'unreachable-scene']);

/**
 * Groups findings with the same message in one file (or, about files, in one folder) at the position of the first. None
 * is dropped.
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
