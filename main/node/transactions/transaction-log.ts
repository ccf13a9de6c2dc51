import { AppError } from '../../../shared/errors.ts';
import type { Transaction } from '../../../shared/model/transactions/transaction.ts';
import type { Transactions } from '../../core/ports/transactions.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { SnapshotKeeper } from '../snapshots/snapshot-state.ts';
import { createEditedTransactions, type EditedTransactions } from './edited-transactions.ts';
import { createTransactionId, type FinishedTransaction, type TransactionRecorder } from './finished-transaction.ts';
import { createLogLines, type LoggedChange, type LogLines, type TransactionLogOptions } from './log-lines.ts';
import type { TextStore } from './text-store.ts';
import { toContinuedLine, toFailedLine, toLine, toStatusLine, toValidatedLine } from './to-line.ts';
import { toMarks } from './to-marks.ts';

export interface TransactionLog extends Omit<Transactions, 'readText'> {
  recorder: TransactionRecorder;
  /** Keeps the texts of snapshots that the log names when the retention removes them. */
  keeper: SnapshotKeeper;
  texts: Pick<TextStore, 'read'>;
  /** Writes what is left and closes the file. */
  close(): Promise<void>;
}

const NO_TEXTS: LoggedChange['texts'] = new Map();

/**
 * Creates the log of all transactions. A line is appended when the write is durable and before its journal is freed: a process
 * that is killed in between leaves the journal, and the recovery of the next start reports the same transaction again. So each
 * outcome is in the log exactly once, and no write waits for the log.
 */
export function createTransactionLog(folder: AgentFolder, options: TransactionLogOptions): TransactionLog {
  const lines = createLogLines(folder, options);
  const { book, texts } = lines;
  const writeEdited = () => void lines.run(() => lines.append(edited.takeAll()));
  const edited = createEditedTransactions({ onDue: writeEdited });
  return {
    recorder: createRecorder(lines, edited),
    keeper: createKeeper(lines),
    texts,
    on: lines.on,
    onUnwritten: lines.onUnwritten,

    read: () =>
      lines.run(async () => {
        await lines.retry();
        return { transactions: book.all(), setAside: await lines.setAside(), unwritten: lines.unwritten() };
      }),

    recent: () => lines.run(async () => toRecent(book.all(), { edited: edited.lines(), added: lines.added.values() })),

    async validate(changes, label) {
      const id = createTransactionId();
      await lines.run(() => lines.append([{ line: toValidatedLine(id, label, changes), texts: NO_TEXTS }]));
      return id;
    },

    keep: (id) =>
      lines.run(async () => {
        const known = book.get(id);
        if (known?.status !== 'pending') throw toNotPending(id);
        await lines.append([{ line: toStatusLine(known, 'applied'), texts: NO_TEXTS }]);
      }),

    async close() {
      await lines.run(() => lines.append(edited.takeAll()));
      await lines.close();
    },
  };
}

/** Returns the lines of the log with those that are still to be written. */
function toRecent(
  logged: readonly Transaction[],
  { edited, added }: { edited: readonly Transaction[]; added: Iterable<FinishedTransaction> },
): Transaction[] {
  const recent = new Map([...logged, ...edited].map((line) => [line.patch_id, line]));
  for (const done of added) {
    const known = recent.get(done.id);
    const [file] = done.files;
    if (known && known.status !== 'validated') {
      if (file && done.files.length === 1) recent.set(done.id, toContinuedLine(known, file));
    } else {
      recent.delete(done.id);
      recent.set(done.id, toLine(done));
    }
  }
  return [...recent.values()];
}

function createRecorder(lines: LogLines, edited: EditedTransactions): TransactionRecorder {
  const { book, added } = lines;

  function toChanges(done: FinishedTransaction): LoggedChange[] {
    const known = book.get(done.id);
    const kept = toTexts(done);
    if (known && known.status !== 'validated') return edited.continue(known, done, kept);
    const marks = done.outcome === 'applied' ? toMarks(book, done) : [];
    return [{ line: toLine(done), texts: kept }, ...marks.map((line) => ({ line, texts: NO_TEXTS }))];
  }

  return {
    add: (done) => void added.set(done.id, done),
    record: (all) =>
      lines.run(async () => {
        for (const done of all) {
          await lines.append(edited.takeOthers(done));
          await lines.append(toChanges(done));
          // A later save of the same session may have been added meanwhile.
          if (added.get(done.id) === done || done.isRecovered) added.delete(done.id);
        }
      }),
    fail(failed) {
      if (lines.isRepeated(failed)) return;
      void lines.run(() => lines.append([{ line: toFailedLine(failed), texts: NO_TEXTS }]));
    },
  };
}

function createKeeper({ book, added, texts, run }: LogLines): SnapshotKeeper {
  return {
    prepare: () => run(async () => undefined),
    toHash(snapshot) {
      for (const { files } of added.values()) {
        const own = files.find((file) => file.snapshot === snapshot);
        if (own) return own.before;
      }
      return book.findSnapshot(snapshot)?.hash ?? null;
    },
    take: texts.take,
  };
}

function toTexts({ outcome, files }: FinishedTransaction): Map<string, Uint8Array> {
  const texts = new Map<string, Uint8Array>();
  if (outcome === 'rolled_back') return texts;
  for (const { after, text } of files) if (after !== null && text) texts.set(after, text);
  return texts;
}

function toNotPending(id: string): AppError {
  return new AppError('E_NOT_FOUND', `The change ${id} does not wait for a decision.`, {
    details: { id },
    hint: 'It may have been kept or undone meanwhile; list the changes again.',
    reason: 'transactions.notPending',
  });
}
