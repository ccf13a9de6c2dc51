import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { toProjectPath } from '../../../shared/model/project-path.ts';
import { Snapshot } from '../../../shared/model/snapshot.ts';
import type { JournalSeal } from '../journal/journal-seal.ts';

/** What a `.meta.json` holds: the snapshot, and what the write it precedes was, so that a repeated call is known again. */
export const SnapshotRecord = Snapshot.extend({
  // A game from elsewhere may bring records of its own; one that names a place off limits counts as damaged.
  path: z.string().refine((value) => {
    try {
      return toProjectPath(value) === value;
    } catch {
      return false;
    }
  }),
  // What no calendar has is no time.
  timestamp: z.number().min(0).max(8.64e15),
  /** Version of the text that was written; null for a removal. */
  after: z.string().nullable(),
  bytes: z.int().min(0),
  /** With a key: sha-256 of what was asked for. */
  request: z.string().optional(),
  /** The snapshot whose text was put back. Counts only with a mark that holds. */
  restores: z.string().optional(),
  /** Grows with each snapshot of this installation, whatever its clock does. Counts only with a mark that holds. */
  order: z.number().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  /** Says that this installation wrote the record. */
  mark: z.string().max(200).optional(),
});
export type SnapshotRecord = z.infer<typeof SnapshotRecord>;

/** A record in its place among the others. */
export interface RankedRecord extends SnapshotRecord {
  /** The greater, the newer. */
  rank: number;
  /** Written by this installation. */
  isOwn: boolean;
}

/** Clocks differ, and a computer with two systems may be hours off; what claims to be from later than this is not believed. */
const DOUBTED_MS = 24 * 60 * 60 * 1000;

/**
 * Where a record that was found stands. A game may bring records with any time in them, and a clock that is put right
 * makes honest ones lie in the future: of our own the order counts, and of others those that claim to come from the future
 * are the oldest. So nothing that is found can be newer than what is kept next.
 */
export async function toRanked(record: SnapshotRecord, seal: JournalSeal): Promise<RankedRecord> {
  const { mark, order, timestamp } = record;
  const isOwn = mark !== undefined && order !== undefined && (await seal.isOurs(toMarked(record), mark));
  if (isOwn) return { ...record, rank: order, isOwn };
  const isDoubted = timestamp > Date.now() + DOUBTED_MS;
  return { ...record, rank: isDoubted ? timestamp - Number.MAX_SAFE_INTEGER : timestamp, isOwn };
}

/** The record with its mark. */
export async function toSealed(record: SnapshotRecord, seal: JournalSeal): Promise<SnapshotRecord> {
  return { ...record, mark: await seal.toMark(toMarked(record)) };
}

/** All that a record says, in one order. */
function toMarked(record: SnapshotRecord): string {
  const { id, path, timestamp, order, contentHash, existed, origin, group, title } = record;
  const { idempotencyKey = null, request = null, after, bytes, restores } = record;
  const own = [id, path, timestamp, order, contentHash, existed, origin, group, title];
  const all = ['snapshot', ...own, idempotencyKey, request, after, bytes];
  return JSON.stringify(restores === undefined ? all : [...all, restores]);
}

/** The shape the contract shows, without what only the writer needs. */
export function toSnapshot(record: SnapshotRecord & { isOwn?: boolean }): Snapshot {
  const { id, path, timestamp, contentHash, existed, origin, group, title, idempotencyKey, restores, isOwn } = record;
  const shown = { id, path, timestamp, contentHash, existed, origin, group, title };
  return {
    ...shown,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(isOwn && restores !== undefined && { restores }),
  };
}

/** `snap_20261120T093000_ab12cd34`, in UTC. */
export function toSnapshotId(timestamp: number): string {
  const time = new Date(timestamp).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `snap_${time}_${randomBytes(4).toString('hex')}`;
}

/** Newest first; of the same rank the greater id first, so that the order never depends on the disk. */
export function compareRecords(a: RankedRecord, b: RankedRecord): number {
  return b.rank - a.rank || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
