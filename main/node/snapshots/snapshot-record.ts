import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Snapshot } from '../../../shared/model/snapshot.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';

/** The content of a `.meta.json`: the snapshot, and the write that it precedes, so that a repeated call is recognized. */
export const SnapshotRecord = Snapshot.extend({
  // A downloaded game may contain records; one that names a forbidden path counts as damaged.
  path: z.string().refine((value) => {
    try {
      return toProjectPath(value) === value;
    } catch {
      return false;
    }
  }),
  // The maximum of a JavaScript date.
  timestamp: z.number().min(0).max(8.64e15),
  /** Version of the text that was written; null for a removal. */
  after: z.string().nullable(),
  bytes: z.int().min(0),
  /** With a key: sha-256 of the request. */
  request: z.string().optional(),
  /** The snapshot whose text was restored. Counts only with a valid mark. */
  restores: z.string().optional(),
  /** Increases with each snapshot of this installation, whatever its clock does. Counts only with a valid mark. */
  order: z.number().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  /** Shows that this installation wrote the record. */
  mark: z.string().max(200).optional(),
});
export type SnapshotRecord = z.infer<typeof SnapshotRecord>;

/** A record with its position among the others. */
export interface RankedRecord extends SnapshotRecord {
  /** The greater, the newer. */
  rank: number;
  /** Written by this installation. */
  isOwn: boolean;
}

/**
 * Clocks differ, and a computer with two systems may be hours off; a foreign timestamp further in the future than this is
 * not trusted.
 */
const CLOCK_SKEW_MS = 24 * 60 * 60 * 1000;

/**
 * Ranks a record that was found. A game may contain records with any timestamp, and after a clock is corrected genuine
 * ones are in the future: own records rank by `order`, and foreign ones from the future rank as the oldest. So no record
 * that is found ranks newer than the next snapshot.
 */
export async function toRanked(record: SnapshotRecord, signature: JournalSignature): Promise<RankedRecord> {
  const { mark, order, timestamp } = record;
  const isOwn = mark !== undefined && order !== undefined && (await signature.isOurs(toMarked(record), mark));
  if (isOwn) return { ...record, rank: order, isOwn };
  const isTooFarAhead = timestamp > Date.now() + CLOCK_SKEW_MS;
  return { ...record, rank: isTooFarAhead ? timestamp - Number.MAX_SAFE_INTEGER : timestamp, isOwn };
}

/** Returns the record with its mark. */
export async function toSigned(record: SnapshotRecord, signature: JournalSignature): Promise<SnapshotRecord> {
  return { ...record, mark: await signature.toMark(toMarked(record)) };
}

/** Serializes all fields of a record in a fixed order. */
function toMarked(record: SnapshotRecord): string {
  const { id, path, timestamp, order, contentHash, existed, origin, group, title } = record;
  const { idempotencyKey = null, request = null, after, bytes, restores } = record;
  const own = [id, path, timestamp, order, contentHash, existed, origin, group, title];
  const all = ['snapshot', ...own, idempotencyKey, request, after, bytes];
  return JSON.stringify(restores === undefined ? all : [...all, restores]);
}

/** Returns the fields of the contract, without those that only the writer needs. */
export function toSnapshot(record: SnapshotRecord & { isOwn?: boolean }): Snapshot {
  const { id, path, timestamp, contentHash, existed, origin, group, title, idempotencyKey, restores, isOwn } = record;
  const shown = { id, path, timestamp, contentHash, existed, origin, group, title };
  return {
    ...shown,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(isOwn && restores !== undefined && { restores }),
  };
}

/** Formats an id such as `snap_20261120T093000_ab12cd34`, in UTC. */
export function toSnapshotId(timestamp: number): string {
  const time = new Date(timestamp).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `snap_${time}_${randomBytes(4).toString('hex')}`;
}

/** Compares newest first; of equal rank the greater id first, so that the order never depends on the disk. */
export function compareRecords(a: RankedRecord, b: RankedRecord): number {
  return b.rank - a.rank || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
