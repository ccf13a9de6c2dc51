import type { Transaction } from '../../../shared/model/transactions/transaction.ts';
import type { FailedWrite } from './finished-transaction.ts';

const RETRY_MS = 5_000;
/** Beyond it the oldest lines are given up and only counted: a disk may stay full for days. */
const MAX_LINES = 2000;

/** The lines that are not in the log yet. */
export interface UnwrittenLines {
  add(lines: readonly Transaction[]): void;
  /** Appends them; returns whether any was written. Never rejects: after a failure they are tried again. */
  write(): Promise<boolean>;
  lines(): readonly Transaction[];
  /** Number of lines that were not written, those given up included. */
  count(): number;
  /** Returns whether the write before failed in the same way; autosaves may repeat it every second. */
  isRepeated(failed: FailedWrite): boolean;
  onUnwritten(listener: () => void): void;
  close(): void;
}

export function createUnwrittenLines(options: {
  append: (lines: readonly Transaction[]) => Promise<void>;
  retry: () => void;
}): UnwrittenLines {
  const listeners = new Set<() => void>();
  let waiting: Transaction[] = [];
  let lost = 0;
  let isReported = false;
  let timer: NodeJS.Timeout | undefined;
  let lastFailure = '';

  function report(): void {
    // A write that failed was reported to its caller already.
    if (isReported || waiting.every(({ status }) => status === 'failed')) return;
    isReported = true;
    for (const listener of listeners) listener();
  }

  return {
    add(lines) {
      if (lines.some(({ status }) => status !== 'failed')) lastFailure = '';
      waiting.push(...lines);
    },

    async write() {
      if (waiting.length === 0) return false;
      const lines = waiting;
      try {
        await options.append(lines);
        waiting = waiting.slice(lines.length);
        isReported = false;
        return true;
      } catch {
        const surplus = Math.max(0, waiting.length - MAX_LINES);
        lost += surplus;
        waiting = waiting.slice(surplus);
        report();
        clearTimeout(timer);
        timer = setTimeout(options.retry, RETRY_MS);
        timer.unref();
        return false;
      }
    },

    lines: () => waiting,
    count: () => waiting.length + lost,

    isRepeated({ label, code, files }) {
      const failure = JSON.stringify([code, label.group, files.map(({ path }) => path)]);
      const isSame = failure === lastFailure;
      lastFailure = failure;
      return isSame;
    },

    onUnwritten(listener) {
      listeners.add(listener);
      if (isReported) listener();
    },
    close: () => clearTimeout(timer),
  };
}
