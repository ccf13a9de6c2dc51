import type { LineMatch } from './match-text.ts';

/** Requests and answers of the search thread. Plain data, because they are copied between threads. */

/** Maximum time for patterns in one call, in milliseconds. */
export const BUDGET_MS = 800;

/** Maximum length of a replaced text, in characters: no game text that is read or written has more bytes. */
export const MAX_RESULT = 5 * 1024 * 1024;

export interface SearchTask {
  kind: 'search';
  /** The project's real folder, and the only visible names at its top. */
  root: string;
  visible: readonly string[] | null;
  /** Where to search; `absolute` is null when it does not exist on the disk. */
  start: { path: string; absolute: string | null; isFolder: boolean };
  /** Relative to `start`; null: all files. */
  glob: string | null;
  /** Texts that replace those on the disk, by project path; null: no such file. */
  instead: readonly (readonly [string, string | null])[];
  regex: string;
  flags: string;
  multiline: boolean;
  before: number;
  after: number;
  maxMatches: number;
  /** Which part of the files this thread searches. */
  share: { index: number; of: number };
}

export interface ReplaceTask {
  kind: 'replace';
  text: string;
  regex: string;
  flags: string;
  replacement: string;
}

export type Task = SearchTask | ReplaceTask;

export type TaskAnswer =
  | { kind: 'found'; matches: (LineMatch & { path: string })[] }
  | { kind: 'replaced'; text: string; count: number }
  | { kind: 'tooSlow' }
  | { kind: 'tooMany'; limit: number }
  | { kind: 'tooLong'; limit: number }
  | { kind: 'failed'; message: string };
