import type { Transaction } from '../../../shared/model/transactions/transaction.ts';
import type { Change, WriteLabel } from './writer.ts';

/** The state of the transaction log. */
export interface TransactionLogState {
  /** All transactions in the log, oldest first, each in its last state. */
  transactions: readonly Transaction[];
  /** Names of logs that this installation did not write, or that were changed since: they are not used. */
  setAside: readonly string[];
  /** Number of lines that could not be written yet. */
  unwritten: number;
}

/**
 * The log of everything that the writer did to the game (`.webgal_agent/transactions.log`). The writer appends to it; a line
 * that cannot be written never fails a write, it is tried again later.
 */
export interface Transactions {
  read(): Promise<TransactionLogState>;
  /** Returns the transactions of the log and those whose line is not written yet, oldest first: every write that was acknowledged. */
  recent(): Promise<readonly Transaction[]>;
  /** Returns a text that the log names. Null if it was not kept or has changed since. */
  readText(text: { hash: string; path: string; snapshot: string | null }): Promise<string | null>;
  /** Records a dry run as `validated` and returns the transaction, for the label of the write. Writes no file of the game. */
  validate(changes: readonly Change[], label: WriteLabel): Promise<string>;
  /** Makes a pending transaction `applied`. Throws `E_NOT_FOUND`, reason `transactions.notPending`, for any other. */
  keep(id: string): Promise<void>;
  /** Called after the log changed. */
  on(listener: () => void): () => void;
  /** Called when a line could not be written, once until all lines are. */
  onUnwritten(listener: () => void): void;
}
