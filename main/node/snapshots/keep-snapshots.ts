import { createDurably } from '../files/durable-file.ts';
import type { OpenDirectory } from '../files/open-directory.ts';
import { createSlices } from '../files/slices.ts';
import { toBytes, toVersion } from '../files/strict-text.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';

import type { KeptText } from './kept-text.ts';
import { removeSnapshots } from './prune-snapshots.ts';
import { changeFolder, META } from './snapshot-folder.ts';
import { type SnapshotRecord, toSigned } from './snapshot-record.ts';
import { addOwnRecord, type SnapshotState } from './snapshot-state.ts';

/** Keeps texts before a write: all of them, or none when it rejects. Nothing is synced. */
export function keepSnapshots(state: SnapshotState, texts: readonly KeptText[]): Promise<void> {
  return changeFolder(state, async (held) => {
    const rest = createSlices();
    try {
      for (const kept of texts) {
        await keepOne(state, held, kept);
        await rest();
      }
    } catch (error) {
      await removeSnapshots(
        state,
        held,
        texts.map((kept) => kept.stamp.id),
      );
      throw error;
    }
  });
}

async function keepOne(state: SnapshotState, held: OpenDirectory, kept: KeptText): Promise<void> {
  const text = toBytes(kept.text ?? '', kept.path);
  const record = await toRecordOf(kept, { text, key: undefined, signature: state.signature });
  // The text first: a process killed in between leaves no entry rather than a damaged one.
  await createDurably(held.at(`${record.id}.txt`), text, { lazy: true });
  await createDurably(held.at(record.id + META), JSON.stringify(record), { lazy: true });
  addOwnRecord(state, record);
  state.unconfirmed.add(record.id);
  state.overfullPaths.add(record.path);
}

/** Describes a kept text in a signed record. `key`: the idempotency key of the call, if the write has succeeded. */
export function toRecordOf(
  kept: KeptText,
  { text, key, signature }: { text: Buffer; key: string | undefined; signature: JournalSignature },
): Promise<SnapshotRecord> {
  const { stamp, path: projectPath, after, bytes, request, restores, label } = kept;
  const record = {
    ...stamp,
    order: stamp.order ?? stamp.timestamp,
    path: projectPath,
    contentHash: toVersion(text).slice(0, 8),
    existed: kept.text !== null,
    origin: label.origin,
    group: label.group,
    title: label.title,
    ...(key !== undefined && { idempotencyKey: key }),
    after,
    bytes,
    ...(restores !== undefined && { restores }),
    ...(key !== undefined && request !== undefined && { request }),
  };
  return toSigned(record, signature);
}
