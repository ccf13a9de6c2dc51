import { z } from 'zod';
import { WriteOrigin } from '../snapshot.ts';

/**
 * `validated`: a dry run found no problem; nothing is on disk. `pending`: written without review, and the user has not decided
 * yet. `applied`: written and confirmed. `failed`: nothing was written. `rolled_back`: written and undone.
 */
export const TRANSACTION_STATUSES = ['validated', 'pending', 'applied', 'failed', 'rolled_back'] as const;
export const TransactionStatus = z.enum(TRANSACTION_STATUSES);
export type TransactionStatus = z.infer<typeof TransactionStatus>;

/** sha-256 of a file's bytes, in hex. */
const ContentHash = z.string().regex(/^[0-9a-f]{64}$/);
const FilePath = z.string().max(4096);
const FileOperation = z.enum(['write', 'create', 'delete']);

/** What a transaction did to one file; null: no file. */
export const TransactionCommand = z.object({
  op: FileOperation,
  path: FilePath,
  before: ContentHash.nullable(),
  after: ContentHash.nullable(),
  /** Length of the new text. */
  bytes: z.int().min(0),
});
export type TransactionCommand = z.infer<typeof TransactionCommand>;

/** What undoes it: the text is named by its hash and the snapshot that took it, never contained. */
const UndoCommand = z.object({
  op: FileOperation,
  path: FilePath,
  text: ContentHash.nullable(),
  snapshot: z.string().max(100).nullable(),
});

/** A step of a plan that a transaction carries out. */
const PatchStep = z.object({ template_id: z.string().max(1000), step_id: z.string().max(1000) });

/**
 * One line of `.webgal_agent/transactions.log`: the state of a transaction after it changed. Several lines may have the same
 * `patch_id`; the last one holds.
 */
export const Transaction = z.object({
  patch_id: z.string().min(1).max(100),
  /** Null for a change without a plan. */
  template_id: PatchStep.shape.template_id.nullable(),
  step_id: PatchStep.shape.step_id.nullable(),
  commands: z.array(TransactionCommand).max(20_000),
  undo_patch: z.object({ commands: z.array(UndoCommand).max(20_000) }),
  status: TransactionStatus,
  /** When this state began, ISO 8601. */
  created_at: z.iso.datetime(),
  metadata: z.object({
    origin: WriteOrigin,
    /** The change in the history. */
    group: z.string().max(1000),
    title: z.string().max(10_000),
    /** All steps, if the transaction carries out more than one. */
    steps: z.array(PatchStep).max(1000).optional(),
    /** The error code of a failure. */
    code: z.string().max(100).optional(),
    /** True if a start after a crash finished or undid it. */
    recovered: z.boolean().optional(),
    /** True in a line that changes only the status. Where the lines before it were removed, it is not used. */
    follows: z.boolean().optional(),
    /** The transaction whose write changed this status. */
    by: z.string().max(100).optional(),
    /** The transaction that this one undoes. */
    rolls_back: z.string().max(100).optional(),
  }),
});
export type Transaction = z.infer<typeof Transaction>;
