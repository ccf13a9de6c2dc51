import type { Diagnostic } from '../../model/diagnostic.ts';

/** A diagnostic and all further ones with the same message, in their original order. */
export interface FoldedDiagnostic<Found> {
  first: Found;
  others: Found[];
}

type Comparable = Pick<Diagnostic, 'path' | 'severity' | 'code' | 'message'>;

/** Codes about files: diagnostics in one folder are grouped. */
const ABOUT_FILES: ReadonlySet<string> = new Set(['orphan-file', 'unreachable-scene', 'unreadable-file']);

/** Codes of names that many scenes use: one file that is missing is one thing to mend, wherever it is named. */
const ABOUT_NAMES: ReadonlySet<string> = new Set(['missing-file', 'missing-scene', 'unknown-animation']);

/**
 * Groups diagnostics with the same message in one file (about files in one folder, about names in the game) at the position of
 * the first. None is dropped.
 */
export function foldRepeats<Found extends Comparable>(diagnostics: readonly Found[]): FoldedDiagnostic<Found>[] {
  const groups = new Map<string, FoldedDiagnostic<Found>>();
  for (const diagnostic of diagnostics) {
    const { path, severity, code, message } = diagnostic;
    const key = JSON.stringify([toGroup(path, code), severity, code, message]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: diagnostic, others: [] });
    else group.others.push(diagnostic);
  }
  return [...groups.values()];
}

function toGroup(path: string, code: string): string {
  if (ABOUT_NAMES.has(code)) return '';
  return ABOUT_FILES.has(code) ? path.slice(0, path.lastIndexOf('/') + 1) : path;
}
