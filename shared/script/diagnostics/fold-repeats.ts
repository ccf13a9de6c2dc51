import type { Diagnostic } from '../../model/diagnostic.ts';

/** A diagnostic and all further ones with the same message, in their original order. */
export interface FoldedDiagnostic<Found> {
  first: Found;
  others: Found[];
}

type Comparable = Pick<Diagnostic, 'path' | 'severity' | 'code' | 'message'>;

/** Codes about files: diagnostics in one folder are grouped. */
const ABOUT_FILES: ReadonlySet<string> = new Set(['orphan-file', 'unreachable-scene', 'unreadable-file']);

/**
 * Groups diagnostics with the same message in one file (or, about files, in one folder) at the position of the first. None
 * is dropped.
 */
export function foldRepeats<Found extends Comparable>(diagnostics: readonly Found[]): FoldedDiagnostic<Found>[] {
  const groups = new Map<string, FoldedDiagnostic<Found>>();
  for (const diagnostic of diagnostics) {
    const { path, severity, code, message } = diagnostic;
    const place = ABOUT_FILES.has(code) ? path.slice(0, path.lastIndexOf('/') + 1) : path;
    const key = JSON.stringify([place, severity, code, message]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: diagnostic, others: [] });
    else group.others.push(diagnostic);
  }
  return [...groups.values()];
}
