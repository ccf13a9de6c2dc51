import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SNAPSHOT_ID } from '../../../shared/model/snapshot.ts';
import { toWriteFault } from '../../../shared/paths/portable-name.ts';
import type { OpenDirectory } from '../files/open-directory.ts';

import { META, readKept, timeOf, toRecord, withinFolder } from './snapshot-folder.ts';
import { type SnapshotRecord, toRanked } from './snapshot-record.ts';
import { addRecord, type SnapshotState } from './snapshot-state.ts';

/** Descriptions read before the index builder yields to the event loop. */
const BATCH_SIZE = 100;
/** The folder's modification time is trusted once it is this old. */
const SETTLED_MS = 100;

/** Reads the folder into the index if it may have changed since the index matched it. */
export async function refreshIndex(state: SnapshotState): Promise<void> {
  const time = await withinFolder(state.folder, async (held) => {
    const now = timeOf(held);
    if (now === state.seen && (state.recheckAt === undefined || Date.now() < state.recheckAt)) return now;
    // A change right after this check could have the same timestamp: check once more, a little later.
    const settled = Date.now() - Number(now / 1_000_000n) > SETTLED_MS;
    await readFolder(state, held);
    state.hasIndex = true;
    state.seen = now;
    state.recheckAt = settled ? undefined : Date.now() + SETTLED_MS;
    return now;
  });
  if (time !== null) return;
  state.hasIndex = true;
  state.index.clear();
  state.seen = 'absent';
}

async function readFolder(state: SnapshotState, held: OpenDirectory): Promise<void> {
  const { index, signature } = state;
  const names = new Set(readdirSync(held.at('.')));
  const isKept = (id: string) => names.has(`${id}.txt`) && names.has(id + META);
  for (const id of [...index.ids()]) if (!isKept(id)) index.remove(id);
  let read = 0;
  for (const name of names) {
    const id = name.endsWith(META) ? name.slice(0, -META.length) : '';
    if (!SNAPSHOT_ID.test(id) || !isKept(id) || index.has(id)) continue;
    const record = load(held, id);
    const ranked = record && (await toRanked(record, signature));
    // Restoring a text that came with a game must not write a path that tools may not write.
    if (ranked && (ranked.isOwn || toWriteFault(ranked.path) === null)) addRecord(state, ranked);
    read += 1;
    if (read % BATCH_SIZE === 0) await nextTurn();
  }
}

function load(held: OpenDirectory, id: string): SnapshotRecord | undefined {
  try {
    const bytes = readKept(held, id + META);
    return bytes ? toRecord(bytes, id) : undefined;
  } catch {
    return undefined; // The contract skips damaged entries: one must not hide the others.
  }
}
