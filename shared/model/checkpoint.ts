import { z } from 'zod';

export const CHECKPOINT_ID = /^kept_\d{13}_[0-9a-f]{8}$/;
export const CheckpointId = z.string().regex(CHECKPOINT_ID);

/** Why a checkpoint was made: by the user, after the game was opened, or before a restore. Only the last two expire. */
export const CheckpointCause = z.enum(['user', 'start', 'restore']);
export type CheckpointCause = z.infer<typeof CheckpointCause>;

/**
 * Why a file is not in a checkpoint: a link, a name that no path of the app can have, no access, neither file nor folder,
 * larger than the limit, or written to all the time.
 */
export const LeftOutReason = z.enum(['link', 'name', 'access', 'special', 'tooLarge', 'changing']);
export type LeftOutReason = z.infer<typeof LeftOutReason>;

export const LeftOutFile = z.object({ path: z.string(), reason: LeftOutReason });
export type LeftOutFile = z.infer<typeof LeftOutFile>;

/** The state of all files of a game at one time. */
export const Checkpoint = z.object({
  id: CheckpointId,
  /** Empty unless the user gave one. */
  name: z.string().max(200),
  cause: CheckpointCause,
  /** Milliseconds since 1970. */
  at: z.number(),
  files: z.int().min(0),
  bytes: z.number().min(0),
  /** Number of files that are not in it, and some of them. */
  leftOut: z.object({ count: z.int().min(0), some: z.array(LeftOutFile).max(100) }),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** Space in bytes that the checkpoints of a game take, and may take. */
export const CheckpointUsage = z.object({ bytes: z.number(), limit: z.number() });
export type CheckpointUsage = z.infer<typeof CheckpointUsage>;

/** A file that differs between two states, with its sizes in bytes; null: not there. */
export const ChangedEntry = z.object({
  path: z.string(),
  before: z.number().nullable(),
  after: z.number().nullable(),
});
export type ChangedEntry = z.infer<typeof ChangedEntry>;

/** A file in one state: its text or picture, or why neither is shown. */
export const KeptFile = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('picture'), type: z.string(), data: z.string() }),
  z.object({ kind: z.enum(['none', 'other', 'tooLarge', 'damaged']) }),
]);
export type KeptFile = z.infer<typeof KeptFile>;

/**
 * Why a file was not restored: its kept bytes are damaged, its present could not be kept first, another program changed it
 * meanwhile, the system refused, or it did not read the same afterwards.
 */
export const NotRestoredReason = z.enum(['damaged', 'notKept', 'changed', 'refused', 'differs']);
export type NotRestoredReason = z.infer<typeof NotRestoredReason>;

export const RestoreResult = z.object({
  /** The checkpoint of the present before the restore. */
  before: CheckpointId,
  /** Paths that were written or removed. Restoring them from `before` undoes the restore. */
  changed: z.array(z.string()),
  failed: z.array(z.object({ path: z.string(), reason: NotRestoredReason })),
});
export type RestoreResult = z.infer<typeof RestoreResult>;

/** What runs: making a checkpoint, comparing, or restoring. Counts files and bytes; `total` is 0 while unknown. */
export const CheckpointProgress = z.object({
  work: z.enum(['keep', 'compare', 'restore']),
  files: z.int(),
  total: z.int(),
  bytes: z.number(),
});
export type CheckpointProgress = z.infer<typeof CheckpointProgress>;
