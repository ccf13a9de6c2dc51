import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import { createProblemBook, type ProblemBook } from './problem-book.ts';

export interface ProblemsState {
  /** A mutable object; `changes` is incremented with each change of its content. */
  book: ProblemBook;
  changes: number;
  /** Number of checks, also of those that found the same: each followed a change of a text. */
  checks: number;
  /** False until the whole game was checked once. */
  isChecked: boolean;
}

/** The problems reported by the language service. Written by `language/language-service.ts`. */
export const problemsStore = createStore<ProblemsState>(() => ({
  book: createProblemBook(),
  changes: 0,
  checks: 0,
  isChecked: false,
}));

export function useProblems<T>(select: (state: ProblemsState) => T): T {
  return useStore(problemsStore, select);
}

/** Clears all problems, for another game. */
export function clearProblems(): void {
  const { book } = problemsStore.getState();
  book.clear();
  problemsStore.setState(({ changes, checks }) => ({ changes: changes + 1, checks: checks + 1, isChecked: false }));
}

/** Replaces the problems of some files. */
export function putProblems(files: readonly { path: string; found: readonly Diagnostic[] }[], isChecked?: true): void {
  const { book } = problemsStore.getState();
  const changed = files.filter(({ path, found }) => book.put(path, found)).length;
  problemsStore.setState(({ changes, checks }) => ({
    changes: changes + changed,
    checks: checks + 1,
    ...(isChecked && { isChecked }),
  }));
}
