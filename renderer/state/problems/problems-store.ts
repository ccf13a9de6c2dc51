import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import { createProblemBook, type ProblemBook } from './problem-book.ts';

export interface ProblemsState {
  /** A mutable object; `looks` is incremented with each change of its content. */
  book: ProblemBook;
  /** Number of updates of `book`. */
  looks: number;
  /** False until the whole game was checked once. */
  isChecked: boolean;
}

/** The problems reported by the language service. Written by `language/language-service.ts`. */
export const problemsStore = createStore<ProblemsState>(() => ({
  book: createProblemBook(),
  looks: 0,
  isChecked: false,
}));

export function useProblems<T>(select: (state: ProblemsState) => T): T {
  return useStore(problemsStore, select);
}

/** Clears all problems, for another game. */
export function clearProblems(): void {
  const { book } = problemsStore.getState();
  book.clear();
  problemsStore.setState(({ looks }) => ({ looks: looks + 1, isChecked: false }));
}

/** Replaces the problems of some files. */
export function putProblems(files: readonly { path: string; found: readonly Diagnostic[] }[], isChecked?: true): void {
  const { book } = problemsStore.getState();
  for (const { path, found } of files) book.put(path, found);
  problemsStore.setState(({ looks }) => ({ looks: looks + 1, ...(isChecked && { isChecked }) }));
}
