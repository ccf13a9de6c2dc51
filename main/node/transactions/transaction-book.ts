import type { Transaction } from '../../../shared/model/transactions/transaction.ts';

/** The transactions of the log in memory, each in its last state. */
export interface TransactionBook {
  /** Applies a line; applying it again changes nothing. */
  fold(line: Transaction): void;
  get(id: string): Transaction | undefined;
  /** Returns all, in the order of their writes. */
  all(): Transaction[];
  /** Returns the transaction that took a snapshot, and the hash of its text (null: there was no file). */
  findSnapshot(snapshot: string): { id: string; hash: string | null } | undefined;
  /** Returns the transactions whose status was last changed by `id`. */
  changedBy(id: string): Transaction[];
  clear(): void;
}

export function createTransactionBook(): TransactionBook {
  const records = new Map<string, Transaction>();
  const snapshots = new Map<string, { id: string; hash: string | null }>();
  const changed = new Map<string, Set<string>>();
  return {
    fold(line) {
      const known = records.get(line.patch_id);
      // Its write left the log: in this place it would come after later writes of the same files.
      if (!known && line.metadata.follows) return;
      const isDryRun = known?.status === 'validated';
      if (isDryRun) records.delete(line.patch_id);
      if (known?.metadata.by !== undefined) changed.get(known.metadata.by)?.delete(line.patch_id);
      // The time of the change stays that of its write.
      records.set(line.patch_id, known && !isDryRun ? { ...line, created_at: known.created_at } : line);
      for (const { snapshot, text } of line.undo_patch.commands) {
        if (snapshot !== null) snapshots.set(snapshot, { id: line.patch_id, hash: text });
      }
      const { by } = line.metadata;
      if (by === undefined) return;
      const others = changed.get(by) ?? new Set();
      changed.set(by, others.add(line.patch_id));
    },
    get: (id) => records.get(id),
    all: () => [...records.values()],
    findSnapshot: (snapshot) => snapshots.get(snapshot),
    changedBy: (id) => [...(changed.get(id) ?? [])].flatMap((other) => records.get(other) ?? []),
    clear() {
      records.clear();
      snapshots.clear();
      changed.clear();
    },
  };
}

/** Returns the hashes of all texts that transactions name. */
export function toNamedTexts(transactions: readonly Transaction[]): Set<string> {
  const hashes = new Set<string>();
  for (const { commands, undo_patch: undo } of transactions) {
    for (const { after } of commands) if (after !== null) hashes.add(after);
    for (const { text } of undo.commands) if (text !== null) hashes.add(text);
  }
  return hashes;
}
