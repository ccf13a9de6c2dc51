import { unlink } from 'node:fs/promises';
import { AppError } from '../../../shared/errors.ts';

import { isMissing } from '../files/io-error.ts';
import type { OpenDirectory } from '../files/open-directory.ts';

import { changeFolder, META, unlessMissing } from './snapshot-folder.ts';
import type { SnapshotKeeper, SnapshotState } from './snapshot-state.ts';

/** Maximum of snapshots removed in one pass: a game may contain a hundred thousand of them. */
const MAX_REMOVED = 500;

/**
 * Removes snapshots beyond the retention, at most `MAX_REMOVED`; the rest is left to the next call. The keeper takes over the
 * texts that it needs; a snapshot whose text it cannot take stays.
 */
export async function pruneSnapshots(state: SnapshotState): Promise<void> {
  const { index, overfullPaths, retention, keeper } = state;
  if (overfullPaths.size === 0) return;
  await keeper?.prepare();
  const surplus = [...overfullPaths].flatMap((one) => index.surplus(one, retention).map(({ id }) => id));
  const chosen = surplus.slice(0, MAX_REMOVED);
  if (chosen.length > 0) {
    await changeFolder(state, async (held) => {
      const freed = keeper ? await handOver(keeper, held, chosen) : chosen;
      await removeSnapshots(state, held, freed);
    });
  }
  if (chosen.length === surplus.length) overfullPaths.clear();
}

/** Returns the snapshots whose texts are not needed here any more. */
async function handOver(keeper: SnapshotKeeper, held: OpenDirectory, ids: readonly string[]): Promise<string[]> {
  const freed: string[] = [];
  for (const id of ids) {
    const hash = keeper.toHash(id);
    try {
      if (hash !== null) await keeper.take(held.at(`${id}.txt`), hash);
      freed.push(id);
    } catch (error) {
      // A game may contain something else in place of the keeper's folder; it must not make the snapshots grow.
      if (isMissing(error) || (error instanceof AppError && error.code === 'E_DENY_PATH')) freed.push(id);
    }
  }
  return freed;
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
