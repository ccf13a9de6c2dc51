import { createSerialQueue } from '../../../shared/async.ts';
import type { Transaction } from '../../../shared/model/transactions/transaction.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { FailedWrite, FinishedTransaction } from './finished-transaction.ts';
import { createTextStore, type TextStore } from './text-store.ts';
import { createTransactionBook, type TransactionBook, toNamedTexts } from './transaction-book.ts';
import { createTransactionFile } from './transaction-file.ts';
import { createUnwrittenLines } from './unwritten-lines.ts';

/** A line with the texts that are kept for it, by hash. */
export interface LoggedChange {
  line: Transaction;
  texts: ReadonlyMap<string, Uint8Array>;
}

export interface TransactionLogOptions {
  signature: JournalSignature;
  /** True for a log that is only read: foreign files keep their names, and no text is removed. */
  isReadOnly?: boolean;
}

/** The lines of the log: in memory, on the disk, and those that could not be written yet. */
export interface LogLines {
  readonly book: TransactionBook;
  readonly texts: TextStore;
  /** Writes that were acknowledged and are not in the log yet, by id. */
  readonly added: Map<string, FinishedTransaction>;
  /**
   * Runs `task` alone, with the book as the disk is now. The other operations may be used by a task only; none rejects: what
   * cannot be read or written now is tried again later.
   */
  run<T>(task: () => Promise<T>): Promise<T>;
  append(changes: readonly LoggedChange[]): Promise<void>;
  retry(): Promise<void>;
  setAside(): Promise<string[]>;
  unwritten(): number;
  isRepeated(failed: FailedWrite): boolean;
  on(listener: () => void): () => void;
  onUnwritten(listener: () => void): void;
  close(): Promise<void>;
}

export function createLogLines(folder: AgentFolder, options: TransactionLogOptions): LogLines {
  const { signature, isReadOnly = false } = options;
  const book = createTransactionBook();
  const file = createTransactionFile(folder, { signature, book, isReadOnly });
  const texts = createTextStore(folder);
  const queue = createSerialQueue();
  const listeners = new Set<() => void>();
  const added: LogLines['added'] = new Map();
  const unwritten = createUnwrittenLines({ append: file.append, retry: () => void queue.run(retry) });

  async function refresh(): Promise<void> {
    const isNew = await file.refresh().catch(() => false);
    if (!isNew) return;
    for (const line of unwritten.lines()) book.fold(line);
    if (isReadOnly) return;
    // A new file follows a rotation, which removed the oldest one.
    const named = toNamedTexts(book.all());
    for (const { files } of added.values()) for (const { before } of files) if (before !== null) named.add(before);
    await texts.retain(named).catch(() => undefined);
  }

  async function retry(): Promise<void> {
    if (await unwritten.write()) for (const listener of listeners) listener();
  }

  return {
    ...{ book, texts, added, retry },
    run: (task) => queue.run(() => refresh().then(task)),

    async append(changes) {
      if (changes.length === 0) return;
      for (const change of changes) {
        // Without it the text is looked up in the game's file and in the snapshots.
        await texts.keep(change.texts).catch(() => undefined);
        book.fold(change.line);
      }
      unwritten.add(changes.map(({ line }) => line));
      await retry();
    },

    setAside: file.setAside,
    unwritten: unwritten.count,
    isRepeated: unwritten.isRepeated,
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onUnwritten: unwritten.onUnwritten,

    async close() {
      await queue.run(retry);
      unwritten.close();
      await file.close();
    },
  };
}
