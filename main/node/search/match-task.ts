import type { LineMatch } from './match-text.ts';

/**
 * What the search thread is asked and what it answers. Plain data: it crosses from one thread to the other.
 */

/** Milliseconds that patterns may take in one call. */
export const BUDGET_MS = 800;

/** Longest text a replacement may make, in characters: no text of a game that is read or written is longer in bytes. */
export const MAX_RESULT = 5 * 1024 * 1024;

export interface SearchTask {
  kind: 'search';
  /** The project's real folder, and what alone may be seen at the top of it. */
  root: string;
  visible: readonly string[] | null;
  /** Where to look; `absolute` is null when nothing of it is on the disk. */
  start: { path: string; absolute: string | null; isFolder: boolean };
  /** Relative to `start`; null: all files. */
  glob: string | null;
  /** Texts that stand in for what lies on the disk, by project path; null: no such file. */
  instead: readonly (readonly [string, string | null])[];
  regex: string;
  flags: string;
  multiline: boolean;
  before: number;
  after: number;
  maxMatches: number;
  /** Which part of the files is this thread's. */
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
