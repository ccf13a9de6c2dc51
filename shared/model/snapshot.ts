import { z } from 'zod';

export const SNAPSHOT_ID = /^snap_\d{8}T\d{6}_[0-9a-f]{8}$/;

/** How many texts of a file are kept of each origin; an MCP host may be told another number. */
export const KEPT_TEXTS = 20;
/** Saves of one file this close to the first of them keep one text, in minutes. */
export const EDIT_SESSION_MINUTES = 10;

/** Who caused a write. */
export const WriteOrigin = z.enum(['agent', 'writer', 'restore']);
export type WriteOrigin = z.infer<typeof WriteOrigin>;

/**
 * A kept text: what `path` held **before** a write. `existed: false` means the write created the file, so going back
 * removes it. `group` binds the writes of one turn, one editing spell or one restore.
 */
export const Snapshot = z.object({
  id: z.string().regex(SNAPSHOT_ID),
  path: z.string(),
  /** Milliseconds since 1970. */
  timestamp: z.number(),
  /** First 8 hex digits of the sha-256 of the kept text. */
  contentHash: z.string().regex(/^[0-9a-f]{8}$/),
  existed: z.boolean(),
  origin: WriteOrigin,
  group: z.string(),
  title: z.string(),
  idempotencyKey: z.string().optional(),
  /** The snapshot whose text the write put back. */
  restores: z.string().optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** A file as a change left it: what undoes the change there, and the version it is at since; null: the file went. */
export const ChangedFile = z.object({ path: z.string(), snapshotId: z.string(), version: z.string().nullable() });
export type ChangedFile = z.infer<typeof ChangedFile>;

/** A turn in the history panel: newest first, its files with the snapshots that undo it. */
export const HistoryGroup = z.object({
  id: z.string(),
  title: z.string(),
  at: z.number(),
  origin: WriteOrigin,
  /** True when all of it was taken back, and that was not taken back in turn. */
  isUndone: z.boolean(),
  files: z.array(z.object({ snapshotId: z.string(), path: z.string(), at: z.number(), existed: z.boolean() })),
});
export type HistoryGroup = z.infer<typeof HistoryGroup>;
