import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { toProjectPath } from '../../shared/model/project-path.ts';
import { Snapshot } from '../../shared/model/snapshot.ts';

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
  /** Version of the text that was written; null for a removal. */
  after: z.string().nullable(),
  bytes: z.int().min(0),
  /** With a key: sha-256 of what was asked for. */
  request: z.string().optional(),
});
export type SnapshotRecord = z.infer<typeof SnapshotRecord>;

/** The shape the contract shows, without what only the writer needs. */
export function toSnapshot(record: SnapshotRecord): Snapshot {
  const { after: _after, bytes: _bytes, request: _request, ...snapshot } = record;
  return snapshot;
}

/** `snap_20261120T093000_ab12cd34`, in UTC. */
export function toSnapshotId(timestamp: number): string {
  const time = new Date(timestamp).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `snap_${time}_${randomBytes(4).toString('hex')}`;
}

/** Newest first; of the same moment the greater id first, so that the order never depends on the disk. */
export function compareRecords(a: SnapshotRecord, b: SnapshotRecord): number {
  return b.timestamp - a.timestamp || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
