import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Diagnostic, Severity } from '../../shared/model/diagnostic.ts';

export interface ProblemsState {
  byPath: Record<string, Diagnostic[]>;
  /** False until the whole game was looked at once. */
  isChecked: boolean;
}

/** What the language service found, by file. Filled by `language/language-service.ts`. */
export const problemsStore = createStore<ProblemsState>(() => ({ byPath: {}, isChecked: false }));

export function useProblems<T>(select: (state: ProblemsState) => T): T {
  return useStore(problemsStore, select);
}

export function countBySeverity(problems: readonly Diagnostic[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of problems) counts[severity] += 1;
  return counts;
}

/** How many problems of each kind have a fix, by code, in the whole game. */
export function countFixable(byPath: Record<string, Diagnostic[]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { code, fixes } of Object.values(byPath).flat()) {
    if (fixes && fixes.length > 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}
