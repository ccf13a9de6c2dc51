import type { Transaction } from '../../../shared/model/transactions/transaction.ts';

/** A text that a replay reads. */
export interface ReplayedText {
  path: string;
  hash: string;
  /** The snapshot that took the text, if one did. */
  snapshot: string | null;
  /** The transaction that names it. */
  transaction: string;
}

export interface Replay {
  /** Path → the text at the end; null: no file. */
  files: Map<string, ReplayedText | null>;
  /** All texts that the transactions had before and after, in order. */
  texts: ReplayedText[];
  /** Files that were changed by another program between two transactions; the replay goes on from what the later one found. */
  outside: { path: string; transaction: string }[];
}

/** Returns whether a transaction wrote to the disk, undone later or not. A recovery that took it back leaves no trace. */
function hasWritten({ status, metadata }: Transaction): boolean {
  if (status === 'rolled_back') return metadata.by !== undefined;
  return status === 'applied' || status === 'pending';
}

/**
 * Replays transactions (oldest first) up to and including `until`, from the texts before the first one of each file: a file that
 * only later ones changed is as the first of them found it. Returns null if `until` is not among them.
 */
export function replayTransactions(transactions: readonly Transaction[], until: string): Replay | null {
  const end = transactions.findIndex(({ patch_id: id }) => id === until);
  if (end === -1) return null;
  const replay: Replay = { files: new Map(), texts: [], outside: [] };
  const snapshots = findSnapshots(transactions);
  for (const [index, transaction] of transactions.entries()) {
    if (!hasWritten(transaction)) continue;
    for (const { path, before, after } of transaction.commands) {
      const toText = (hash: string | null): ReplayedText | null =>
        hash === null ? null : { path, hash, snapshot: snapshots.get(hash) ?? null, transaction: transaction.patch_id };
      const take = (text: ReplayedText | null): void => {
        if (text) replay.texts.push(text);
        replay.files.set(path, text);
      };
      const known = replay.files.get(path);
      if (known === undefined) take(toText(before));
      if (index > end) continue;
      const isOutside = known !== undefined && (known?.hash ?? null) !== before;
      if (isOutside) replay.outside.push({ path, transaction: transaction.patch_id });
      take(toText(after));
    }
  }
  return replay;
}

/** Returns the snapshots of the texts, by hash. */
function findSnapshots(transactions: readonly Transaction[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { undo_patch: undo } of transactions) {
    for (const { text, snapshot } of undo.commands) if (text !== null && snapshot !== null) found.set(text, snapshot);
  }
  return found;
}
