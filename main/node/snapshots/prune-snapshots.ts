import { unlink } from 'node:fs/promises';

import type { OpenDirectory } from '../files/open-directory.ts';

import { changeFolder, META, unlessMissing } from './snapshot-folder.ts';
import type { SnapshotState } from './snapshot-state.ts';

/** Maximum of snapshots removed in one pass: a game may contain a hundred thousand of them. */
const MAX_REMOVED = 500;

/** Removes snapshots beyond the retention, at most `MAX_REMOVED`; the rest is left to the next call. */
export async function pruneSnapshots(state: SnapshotState): Promise<void> {
  const { index, overfullPaths, retention } = state;
  if (overfullPaths.size === 0) return;
  const surplus = [...overfullPaths].flatMap((one) => index.surplus(one, retention).map(({ id }) => id));
  const chosen = surplus.slice(0, MAX_REMOVED);
  if (chosen.length > 0) await changeFolder(state, (held) => removeSnapshots(state, held, chosen));
  if (chosen.length === surplus.length) overfullPaths.clear();
}

/** Removes the snapshots of a write that failed. */
export function discardSnapshots(state: SnapshotState, ids: readonly string[]): Promise<void> {
  return changeFolder(state, (held) => {
    for (const id of ids) state.unconfirmed.delete(id);
    return removeSnapshots(state, held, ids);
  });
}

/** Removes snapshots from the index and the open folder. */
export async function removeSnapshots(
  { index }: SnapshotState,
  held: OpenDirectory,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) index.remove(id);
  // The description first: a text without one is ignored, a description without a text would count as damage.
  for (const end of [META, '.txt']) {
    await Promise.all(ids.map((id) => unlink(held.at(id + end)).catch(unlessMissing)));
  }
}
