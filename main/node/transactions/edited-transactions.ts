import type { Transaction } from '../../../shared/model/transactions/transaction.ts';
import type { FinishedTransaction } from './finished-transaction.ts';
import type { LoggedChange } from './log-lines.ts';
import { toContinuedLine } from './to-line.ts';

/** How long the saves of one editing session wait for their common line. */
const SESSION_LINE_MS = 10_000;

/**
 * The transactions of running editing sessions. Autosaves come every half second; the saves of one session of a file are one
 * transaction, whose line is written anew after some time, and before another transaction changes the file.
 */
export interface EditedTransactions {
  /**
   * Takes a report of a transaction that is in the log. Returns the line to append now: none for a repeated report, none while
   * the session may go on.
   */
  continue(known: Transaction, done: FinishedTransaction, texts: LoggedChange['texts']): LoggedChange[];
  /** Removes and returns the sessions of the files that another transaction changed. */
  takeOthers(done: FinishedTransaction): LoggedChange[];
  takeAll(): LoggedChange[];
  /** Returns the lines that wait. */
  lines(): Transaction[];
}

export function createEditedTransactions({ onDue }: { onDue: () => void }): EditedTransactions {
  /** By path. */
  const waiting = new Map<string, LoggedChange>();
  let timer: NodeJS.Timeout | undefined;

  function takeAll(): LoggedChange[] {
    clearTimeout(timer);
    timer = undefined;
    const all = [...waiting.values()];
    waiting.clear();
    return all;
  }

  return {
    takeAll,
    lines: () => [...waiting.values()].map(({ line }) => line),

    continue(known, done, texts) {
      const [file, ...others] = done.files;
      const [command, ...more] = known.commands;
      if (!file || !command || others.length + more.length > 0 || file.path !== command.path) return [];
      // The first report holds. A recovery that took back the last save of a session leaves the earlier ones.
      if (known.status !== 'applied' || done.outcome === 'rolled_back') return [];
      const latest = waiting.get(file.path);
      const after = latest?.line.patch_id === done.id ? latest.line.commands[0]?.after : command.after;
      if (after === file.after || file.restores !== null) return [];
      const change = { line: toContinuedLine(known, file), texts };
      if (done.isRecovered) return [change];
      waiting.set(file.path, change);
      timer ??= setTimeout(onDue, SESSION_LINE_MS);
      timer.unref();
      return [];
    },

    takeOthers({ id, files }) {
      return files.flatMap(({ path }) => {
        const change = waiting.get(path);
        if (!change || change.line.patch_id === id) return [];
        waiting.delete(path);
        return [change];
      });
    },
  };
}
