import type { ErrorData } from '../../../../shared/errors.ts';

/** What a thread offers: functions by name, of values that can be copied between threads. */
export interface ThreadService {
  [name: string]: (...args: never[]) => Promise<unknown>;
  /** Closes the browser. The thread ends after it. */
  close(): Promise<void>;
}

export interface ThreadCall {
  id: number;
  name: string;
  args: unknown[];
}

/** `error`: an `AppError`; `problem`: the first line of any other. */
export type ThreadAnswer = { id: number } & ({ value: unknown } | { error: ErrorData } | { problem: string });
