import { z } from 'zod';

export const SNAPSHOT_ID = /^snap_\d{8}T\d{6}_[0-9a-f]{8}$/;

/** Snapshots kept per file and origin; an MCP host may be configured with another number. */
export const SNAPSHOTS_PER_FILE = 20;
/** Saves of one file within this time of the first one share a snapshot, in minutes. */
export const EDIT_SESSION_MINUTES = 10;

/** The cause of a write (`writer`: the user). */
export const WriteOrigin = z.enum(['agent', 'writer', 'restore']);
export type WriteOrigin = z.infer<typeof WriteOrigin>;

/**
 * A snapshot: what `path` held **before** a write. `existed: false` means that the write created the file, so restoring
 * removes it. `group` identifies the writes of one turn, one editing session or one restore.
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
  /** The snapshot that the write restored. */
  restores: z.string().optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** A file as a change left it: the snapshot that undoes the change, and the file's version after it; null: removed. */
export const ChangedFile = z.object({ path: z.string(), snapshotId: z.string(), version: z.string().nullable() });
export type ChangedFile = z.infer<typeof ChangedFile>;

/** A change in the history panel, with the snapshots that undo it. */
export const HistoryGroup = z.object({
  id: z.string(),
  title: z.string(),
  at: z.number(),
  origin: WriteOrigin,
  /** True when all of it was undone, and the undo was not undone. */
  isUndone: z.boolean(),
  files: z.array(z.object({ snapshotId: z.string(), path: z.string(), at: z.number(), existed: z.boolean() })),
});
export type HistoryGroup = z.infer<typeof HistoryGroup>;
