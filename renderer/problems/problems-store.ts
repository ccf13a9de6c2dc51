import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Diagnostic } from '../../shared/model/diagnostic.ts';
import { createProblemBook, type ProblemBook } from './problem-book.ts';

export interface ProblemsState {
  /** The same object all the time; `looks` says when it holds something else. */
  book: ProblemBook;
  /** Grows each time changed text was looked at. */
  looks: number;
  /** False until the whole game was looked at once. */
  isChecked: boolean;
}

/** What the language service found. Filled by `language/language-service.ts`. */
export const problemsStore = createStore<ProblemsState>(() => ({
  book: createProblemBook(),
  looks: 0,
  isChecked: false,
}));

export function useProblems<T>(select: (state: ProblemsState) => T): T {
  return useStore(problemsStore, select);
}

/** Forgets everything: another game. */
export function clearProblems(): void {
  const { book } = problemsStore.getState();
  book.clear();
  problemsStore.setState(({ looks }) => ({ looks: looks + 1, isChecked: false }));
}

/** Takes over what was found in some files. */
export function putProblems(files: readonly { path: string; found: readonly Diagnostic[] }[], isChecked?: true): void {
  const { book } = problemsStore.getState();
  for (const { path, found } of files) book.put(path, found);
  problemsStore.setState(({ looks }) => ({ looks: looks + 1, ...(isChecked && { isChecked }) }));
}
