import type { Snapshot, WriteOrigin } from '../../../shared/model/snapshot.ts';

/** A change of one file. `base` is the version that the text is based on; null: the file must not exist. */
export interface Change {
  path: string;
  /** Null deletes the file. */
  text: string | null;
  base: string | null;
  /** The snapshot that this change restores; the history derives from it which changes are undone. */
  restores?: string;
  /** Ids of the plan's steps that made it. Such a change needs the user's word where it is not safe (`confirmed`). */
  steps?: readonly string[];
  /** True: written to the byte, as it was shown. Otherwise the file keeps its byte order mark and its line endings. */
  isExact?: boolean;
}

/** The step of a plan that a write carries out. */
export interface PatchStep {
  templateId: string;
  stepId: string;
}

export interface WriteLabel {
  origin: WriteOrigin;
  /** Groups snapshots of one turn, edit session or restore. */
  group: string;
  /** The title shown in the history, in the user's language. */
  title: string;
  /** A repeated call with the same key, path and request writes nothing and returns the first result. */
  idempotencyKey?: string;
  /** Paths whose changes the user accepted although a plan's validation blocks them. */
  confirmed?: readonly string[];
  /** The request that the key identifies if it is not simply the text (an append); a different request is `E_BAD_ARGS`. */
  request?: string;
  /** For the transaction log: the steps that the write carries out. */
  patch?: PatchStep | readonly PatchStep[];
  /** A transaction that a dry run recorded (`Transactions.validate`) and that this write carries out; default: a new one. */
  transaction?: string;
  /** True if the user has not agreed to the write yet: its transaction is `pending` until `Transactions.keep` or an undo. */
  isPending?: boolean;
  /** The transaction that this write undoes. */
  rollsBack?: string;
}

export interface Written {
  path: string;
  /** Null if the file was deleted. */
  version: string | null;
  snapshotId: string;
  bytes: number;
}

/**
 * Writes the user's files; no other code does. Applies all changes or none: checks base versions first (`E_CONFLICT` with
 * `details.paths`), takes a snapshot of every previous text, uses a journal for crash recovery and replaces each file
 * atomically. A change without effect writes nothing and is omitted from the result, except that a change by the assistant
 * still gets a snapshot, because the tool contract guarantees one.
 */
export interface Writer {
  apply(changes: readonly Change[], label: WriteLabel): Promise<Written[]>;
}

export interface Snapshots {
  /** Number of texts kept per file and origin. */
  retention: number;
  /** Returns snapshots, newest first; skips damaged entries. */
  list(filter?: { pathPrefix?: string; limit?: number }): Promise<Snapshot[]>;
  /** Returns the text; null if the file did not exist. Throws `E_NOT_FOUND` or `E_PARSE_FAIL`. */
  read(id: string): Promise<{ snapshot: Snapshot; text: string | null }>;
}
