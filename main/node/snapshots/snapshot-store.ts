import { createSerialQueue } from '../../../shared/async.ts';
import { SNAPSHOTS_PER_FILE } from '../../../shared/model/snapshot.ts';
import type { Snapshots } from '../../core/ports/writer.ts';
import { toIoError } from '../files/io-error.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

import { confirmSnapshots } from './confirm-snapshots.ts';
import { keepSnapshots } from './keep-snapshots.ts';
import type { KeptText, SnapshotStamp } from './kept-text.ts';
import { discardSnapshots, pruneSnapshots } from './prune-snapshots.ts';
import { readSnapshot } from './read-snapshot.ts';
import { refreshIndex } from './refresh-index.ts';
import { SNAPSHOTS_PART } from './snapshot-folder.ts';
import { type SnapshotRecord, toSnapshot, toSnapshotId } from './snapshot-record.ts';
import { createSnapshotState, type SnapshotKeeper, type SnapshotState } from './snapshot-state.ts';

/** Timestamps of one burst are kept distinct as long as they are at most this far ahead of the clock. */
const BURST_MS = 1000;

/** The operations on snapshots that only the writer may use. */
export interface SnapshotStore extends Snapshots {
  /** Reads the folder into the index, so that the first stamp does not wait. */
  prepare(): Promise<void>;
  stamp(): Promise<SnapshotStamp>;
  /**
   * Keeps texts before a write, without the key of the call: a write that failed must not answer for a repeated call. The
   * texts can be read at once but are not yet durable; until `confirm` the journal holds them too.
   */
  keep(texts: readonly KeptText[]): Promise<void>;
  /**
   * Writes snapshots in their final form once the write has succeeded, and syncs them. Repeats those that a crash left
   * torn.
   */
  confirm(texts: readonly KeptText[]): Promise<void>;
  /** Removes the snapshots of a write that failed. */
  discard(ids: readonly string[]): Promise<void>;
  /** Returns the newest snapshot of a file, optionally the newest with a key. */
  latest(path: string, idempotencyKey?: string): Promise<SnapshotRecord | undefined>;
  /**
   * Removes snapshots beyond the retention, per file and origin, some hundreds in one pass. What is removed before it is
   * confirmed is not synced first.
   */
  prune(): Promise<void>;
}

/**
 * Creates the store of `<id>.txt` and `<id>.meta.json` in `.webgal_agent/snapshots` (names from the tool contract). The
 * folder is read once and its index kept in memory; later the folder's modification time tells whether another program
 * changed it.
 *
 * `retention` is counted per file and origin: autosaves of a day must not push out the text before the assistant's edit.
 * Records that came with the game, or from another computer of the user, are counted separately. `keeper` takes the texts that
 * the retention removes.
 */
export function createSnapshotStore(
  folder: AgentFolder,
  options: { signature: JournalSignature; retention?: number; keeper?: SnapshotKeeper },
): SnapshotStore {
  // Every write must be reversible, so at least one snapshot is kept.
  const retention = Math.max(1, options.retention ?? SNAPSHOTS_PER_FILE);
  const state = createSnapshotState(folder, { ...options, retention });
  const queue = createSerialQueue();

  /** Runs actions one at a time: a check must not read half of a write. */
  function runExclusive<T>(action: () => Promise<T>): Promise<T> {
    return queue.run(action).catch((error: unknown) => {
      throw toIoError(error, SNAPSHOTS_PART);
    });
  }

  async function prepare(): Promise<void> {
    if (!state.hasIndex) await runExclusive(() => refreshIndex(state));
  }

  return {
    retention,
    prepare,

    async stamp() {
      // The order also continues that of existing records, whose clock may have been ahead.
      await prepare();
      return toNextStamp(state);
    },

    keep: (texts) => runExclusive(() => keepSnapshots(state, texts)),
    confirm: (texts) => confirmSnapshots(state, texts, runExclusive),
    discard: (ids) => runExclusive(() => discardSnapshots(state, ids)),

    latest: (projectPath, idempotencyKey) =>
      runExclusive(async () => {
        await refreshIndex(state);
        return state.index.latest(projectPath, idempotencyKey);
      }),

    prune: () =>
      runExclusive(async () => {
        await refreshIndex(state);
        await pruneSnapshots(state);
      }),

    list: ({ pathPrefix = '', limit = Number.POSITIVE_INFINITY } = {}) =>
      runExclusive(async () => {
        await refreshIndex(state);
        // If pruning fails, a list that is too long is better than none.
        await pruneSnapshots(state).catch(() => undefined);
        return state.index.list(pathPrefix, limit).map(toSnapshot);
      }),

    read: (id) => readSnapshot(state, id),
  };
}

function toNextStamp(state: SnapshotState): SnapshotStamp {
  const now = Date.now();
  // Two writes within a millisecond still have an order; a clock that is set back is followed.
  const { lastTimestamp } = state;
  state.lastTimestamp = lastTimestamp >= now && lastTimestamp - now < BURST_MS ? lastTimestamp + 1 : now;
  state.lastOrder = Math.max(now, state.lastOrder + 1);
  return { id: toSnapshotId(state.lastTimestamp), timestamp: state.lastTimestamp, order: state.lastOrder };
}
