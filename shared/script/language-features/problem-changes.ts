import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Locale } from '../../model/local-text.ts';
import { diagnoseProject } from '../diagnostics/diagnose.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';

/** Returns the problems of the game that are reasons to reject a change; `info` is none. */
export function findSerious(index: ProjectIndex, locale: Locale): Diagnostic[] {
  return diagnoseProject(index, { locale }).filter((problem) => problem.severity !== 'info');
}

/**
 * Returns the problems of `found` that are not among `others`. They are matched by path, code and message, so that one which only
 * moved to another line is in both.
 */
export function problemsBeyond(found: readonly Diagnostic[], others: readonly Diagnostic[]): Diagnostic[] {
  const counts = new Map<string, number>();
  for (const problem of others) {
    const key = toKey(problem);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return found.filter((problem) => {
    const key = toKey(problem);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count <= 0;
  });
}

/** Puts a text of a change into the index. Null: no file; undefined: a file that is not readable as text. */
export function layText(index: ProjectIndex, path: string, text: string | null | undefined): void {
  if (typeof text === 'string') index.setText(path, text);
  else index.removeText(path);
  if (text !== null) index.addFile(path);
}

function toKey({ path, code, message }: Diagnostic): string {
  return JSON.stringify([path, code, message]);
}
