import { AppError } from '../../../shared/errors.ts';
import { SNAPSHOT_ID } from '../../../shared/model/snapshot.ts';
import { toWriteFault } from '../../../shared/paths/portable-name.ts';
import type { Snapshots } from '../../core/ports/writer.ts';
import { toText, toVersion } from '../files/strict-text.ts';

import { META, readKept, toDamagedError, toRecord, withinFolder } from './snapshot-folder.ts';
import { toRanked, toSnapshot } from './snapshot-record.ts';
import type { SnapshotState } from './snapshot-state.ts';

/** Reads a snapshot and its text from the disk, whether or not the index contains it. */
export async function readSnapshot(
  { folder, signature }: SnapshotState,
  id: string,
): Promise<Awaited<ReturnType<Snapshots['read']>>> {
  if (!SNAPSHOT_ID.test(id)) {
    throw new AppError('E_BAD_ARGS', 'A snapshot id looks like snap_20260101T120000_0a1b2c3d.', {
      hint: 'List the snapshots and take an id from there.',
    });
  }
  const kept = await withinFolder(folder, (held) => ({
    meta: readKept(held, id + META),
    text: readKept(held, `${id}.txt`),
  }));
  if (!kept?.meta || !kept.text) {
    throw new AppError('E_NOT_FOUND', `There is no snapshot ${id}.`, {
      details: { snapshotId: id },
      hint: 'It may have been removed by the retention; list the snapshots that exist.',
      reason: 'snapshot.notFound',
    });
  }
  const record = toRecord(kept.meta, id);
  if (toWriteFault(record.path) !== null && !(await toRanked(record, signature)).isOwn) throw toDamagedError(id);
  if (toVersion(kept.text).slice(0, 8) !== record.contentHash) throw toDamagedError(id);
  return { snapshot: toSnapshot(record), text: record.existed ? toText(kept.text, record.path) : null };
}
