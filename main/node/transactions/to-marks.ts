import type { Transaction } from '../../../shared/model/transactions/transaction.ts';
import type { FinishedTransaction } from './finished-transaction.ts';
import { toStatusLine } from './to-line.ts';
import type { TransactionBook } from './transaction-book.ts';

/**
 * Returns the lines of the transactions that a write undoes: the one that it names, and those whose texts before it restores in
 * all files. If one of these is an undo itself, what it had undone is `applied` again.
 */
export function toMarks(book: TransactionBook, { id, label, files }: FinishedTransaction): Transaction[] {
  const restored = new Set(files.flatMap(({ restores }) => restores ?? []));
  const isRestored = ({ undo_patch: undo }: Transaction) =>
    undo.commands.every(({ snapshot }) => snapshot !== null && restored.has(snapshot));
  const owners = [...restored].flatMap((snapshot) => book.findSnapshot(snapshot)?.id ?? []);
  const undone = [...new Set([label.rollsBack ?? [], owners].flat())]
    .flatMap((other) => book.get(other) ?? [])
    .filter(({ status }) => status === 'applied' || status === 'pending')
    .filter((transaction) => transaction.patch_id === label.rollsBack || isRestored(transaction));
  return undone.flatMap((transaction) => {
    const again = book.changedBy(transaction.patch_id).filter(({ status }) => status === 'rolled_back');
    return [toStatusLine(transaction, 'rolled_back', id), ...again.map((other) => toStatusLine(other, 'applied', id))];
  });
}
