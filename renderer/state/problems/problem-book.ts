import type { Diagnostic, Severity } from '../../../shared/model/diagnostic.ts';
import { type FoldedDiagnostic, foldRepeats } from '../../../shared/script/diagnostics/fold-repeats.ts';

const NONE: readonly Diagnostic[] = [];
const ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** A game's problems by file. Counts are updated incrementally: the cost of an update depends on the updated file only. */
export interface ProblemBook {
  /** Returns the problems of a file; the same array while they are unchanged. */
  of(path: string): readonly Diagnostic[];
  /** Replaces the problems of a file. Returns false if it has the same ones already. */
  put(path: string, found: readonly Diagnostic[]): boolean;
  clear(): void;
  /** Problems in the whole game, by severity. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** Problems in the whole game, by code. */
  readonly codes: ReadonlyMap<string, number>;
  /** Problems with a fix in the whole game, by code. */
  readonly fixable: ReadonlyMap<string, number>;
  /** Returns the number of fixable problems with this code by file. */
  fixableFiles(code: string): ReadonlyMap<string, number>;
  /**
   * Returns the rows of the list: the open file's first, then by severity, file and line. Excludes `info` problems of
   * other files, which are numerous and unimportant.
   */
  rows(active: string | null): readonly FoldedDiagnostic<Diagnostic>[];
}

export function createProblemBook(): ProblemBook {
  const byPath = new Map<string, readonly Diagnostic[]>();
  const counts = { error: 0, warning: 0, info: 0 };
  const codes = new Map<string, number>();
  const fixable = new Map<string, number>();
  const fixableFiles = new Map<string, Map<string, number>>();
  /** Cached rows of all files except the one being edited. */
  let others: { besides: string | null; rows: FoldedDiagnostic<Diagnostic>[] } | null = null;

  const count = (found: readonly Diagnostic[], step: 1 | -1): void => {
    for (const { severity, code, fixes, path } of found) {
      counts[severity] += step;
      add(codes, code, step);
      if (!fixes || fixes.length === 0) continue;
      add(fixable, code, step);
      const files = fixableFiles.get(code) ?? new Map<string, number>();
      add(files, path, step);
      fixableFiles.set(code, files);
    }
  };

  const toOthers = (besides: string | null): FoldedDiagnostic<Diagnostic>[] => {
    const grave: Diagnostic[] = [];
    for (const [path, found] of byPath) {
      if (path === besides) continue;
      for (const problem of found) if (problem.severity !== 'info') grave.push(problem);
    }
    return foldRepeats(grave.sort(compare));
  };

  return {
    counts,
    codes,
    fixable,
    fixableFiles: (code) => fixableFiles.get(code) ?? new Map(),
    of: (path) => byPath.get(path) ?? NONE,
    put(path, found) {
      const before = byPath.get(path) ?? NONE;
      if (JSON.stringify(before) === JSON.stringify(found)) return false;
      count(before, -1);
      count(found, 1);
      if (found.length > 0) byPath.set(path, found);
      else byPath.delete(path);
      if (path !== others?.besides) others = null;
      return true;
    },
    clear() {
      byPath.clear();
      codes.clear();
      fixable.clear();
      fixableFiles.clear();
      Object.assign(counts, { error: 0, warning: 0, info: 0 });
      others = null;
    },
    rows(active) {
      if (others?.besides !== active) others = { besides: active, rows: toOthers(active) };
      const own = active === null ? [] : foldRepeats([...(byPath.get(active) ?? NONE)].sort(compare));
      return [...own, ...others.rows];
    },
  };
}

function add(counts: Map<string, number>, key: string, step: number): void {
  const left = (counts.get(key) ?? 0) + step;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

function compare(one: Diagnostic, other: Diagnostic): number {
  if (one.severity !== other.severity) return ORDER[one.severity] - ORDER[other.severity];
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line;
}
