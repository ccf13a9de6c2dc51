import { rmSync } from 'node:fs';

import { createDurably, replaceFile, syncFile, toTempName } from '../files/durable-file.ts';
import type { OpenDirectory } from '../files/open-directory.ts';
import { toBytes } from '../files/strict-text.ts';

import { toRecordOf } from './keep-snapshots.ts';
import type { KeptText } from './kept-text.ts';
import { changeFolder, META, readKept, unlessMissing, withinFolder } from './snapshot-folder.ts';
import { addOwnRecord, type SnapshotState } from './snapshot-state.ts';

/** Writes snapshots in their final form and syncs them. `runExclusive` runs what needs the queue of the store. */
export async function confirmSnapshots(
  state: SnapshotState,
  texts: readonly KeptText[],
  runExclusive: (action: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { folder, index, unconfirmed } = state;
  if (texts.length === 0) return;
  const isOurs = ({ stamp }: KeptText) => unconfirmed.has(stamp.id);
  const isFinal = (kept: KeptText) => isOurs(kept) && kept.label.idempotencyKey === undefined;
  const isGone = (kept: KeptText) => isOurs(kept) && !index.has(kept.stamp.id);
  const others = texts.filter((kept) => !isFinal(kept) && !isGone(kept));
  if (others.length > 0) {
    await runExclusive(() =>
      changeFolder(state, async (held) => void (await Promise.all(others.map((one) => confirmOne(state, held, one))))),
    );
  }
  // These files no longer change, so the sync need not hold the queue. Snapshots removed meanwhile are skipped.
  const names = texts.filter(isFinal).flatMap(({ stamp: { id } }) => [`${id}.txt`, id + META]);
  await withinFolder(folder, (held) =>
    Promise.all([held.sync(), ...names.map((name) => syncFile(held.at(name)).catch(unlessMissing))]),
  );
  for (const { stamp } of texts) unconfirmed.delete(stamp.id);
}

async function confirmOne(state: SnapshotState, held: OpenDirectory, kept: KeptText): Promise<void> {
  const text = toBytes(kept.text ?? '', kept.path);
  const record = await toRecordOf(kept, { text, key: kept.label.idempotencyKey, signature: state.signature });
  await Promise.all([
    ensure(held, `${record.id}.txt`, text),
    ensure(held, record.id + META, Buffer.from(JSON.stringify(record))),
  ]);
  addOwnRecord(state, record);
  state.unconfirmed.delete(record.id);
  state.overfullPaths.add(record.path);
}

/** Writes the file unless it exists with these bytes, and syncs it in either case. */
async function ensure(held: OpenDirectory, name: string, bytes: Buffer): Promise<void> {
  if (readKept(held, name)?.equals(bytes)) return syncFile(held.at(name));
  const temp = held.at(`.${toTempName()}`);
  try {
    await createDurably(temp, bytes);
    await replaceFile(temp, held.at(name));
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}
