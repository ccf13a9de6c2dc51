import { z } from 'zod';
import { ChangedFile, WriteOrigin } from '../snapshot.ts';
import { TransactionCommand, TransactionStatus } from './transaction.ts';

/** Which transactions to list; omitted fields match everything. */
export const TransactionFilter = z.strictObject({
  status: TransactionStatus.optional(),
  origin: WriteOrigin.optional(),
  /** Substring of a path. */
  file: z.string().max(500).optional(),
  /** Substring of the title or of an id. */
  text: z.string().max(500).optional(),
});
export type TransactionFilter = z.infer<typeof TransactionFilter>;

/** Number of files that an entry names. */
export const MAX_ENTRY_FILES = 100;

/** A transaction in the list of the page. */
export const TransactionEntry = z.object({
  id: z.string(),
  title: z.string(),
  /** ISO 8601. */
  at: z.iso.datetime(),
  origin: WriteOrigin,
  status: TransactionStatus,
  /** The error code of a failure. */
  code: z.string().nullable(),
  /** True if a start after a crash finished or undid it. */
  isRecovered: z.boolean(),
  files: z.array(TransactionCommand.pick({ path: true, op: true })).max(MAX_ENTRY_FILES),
  /** Number of all files. */
  fileCount: z.int().min(0),
  /** True if it can be undone: it was written and not undone yet. */
  canRollBack: z.boolean(),
});
export type TransactionEntry = z.infer<typeof TransactionEntry>;

/** A page of the transaction log, newest first. */
export const TransactionPage = z.object({
  entries: z.array(TransactionEntry),
  /** Number of transactions that match the filter. */
  total: z.int().min(0),
  /** Names of logs that are not used, because this installation did not write them or they were changed since. */
  setAside: z.array(z.string()),
  /** Number of lines that could not be written yet. */
  unwritten: z.int().min(0),
});
export type TransactionPage = z.infer<typeof TransactionPage>;

/** What a transaction did to a file. Null: no file, or `isMissing` if the text is no longer kept. */
export const TransactionDiff = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  isMissing: z.boolean(),
});
export type TransactionDiff = z.infer<typeof TransactionDiff>;

/**
 * Why a file cannot be undone: its lines were `changed` since; it is `gone`; another file `exists` in the place of the removed one;
 * a text is `missing` from the log.
 */
export const RollbackConflict = z.object({
  path: z.string(),
  reason: z.enum(['changed', 'gone', 'exists', 'missing']),
});
export type RollbackConflict = z.infer<typeof RollbackConflict>;

/** `unchanged`: the files have none of the change any more. Nothing is written with `conflict` and `unchanged`. */
export const RollbackResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('applied'), group: z.string(), files: z.array(ChangedFile) }),
  z.object({ status: z.literal('unchanged') }),
  z.object({ status: z.literal('conflict'), conflicts: z.array(RollbackConflict).min(1) }),
]);
export type RollbackResult = z.infer<typeof RollbackResult>;
