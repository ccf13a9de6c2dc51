import type { SpokenMatch } from '../../../core/ports/logs.ts';

/** Requests and answers of the thread that searches logs. Plain data, because they are copied between threads. */
export interface SessionSearchTask {
  file: string;
  /** What errors name. */
  name: string;
  /** Folded words, all of which a text contains. */
  words: readonly string[];
  most: number;
  /** Bytes of the file that are searched; null: all. */
  maxBytes: number | null;
}

/** Ends the running task early; it answers with what it found. */
export const STOP = 'stop';

export type SessionSearchAnswer = { matches: SpokenMatch[] } | { failure: string };
