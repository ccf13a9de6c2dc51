import { createSerialQueue } from '../../../shared/async.ts';
import { syncFolder } from '../files/durable-file.ts';
import { isMissing } from '../files/io-error.ts';
import type { KeptText } from '../snapshots/kept-text.ts';
import type { SnapshotStore } from '../snapshots/snapshot-store.ts';
import type { FinishedTransaction, TransactionRecorder } from '../transactions/finished-transaction.ts';
import type { WriteJournal } from './write-journal.ts';

/** How long after the first write of a burst the snapshots of that burst are synced together. */
const CONFIRM_MS = 100;
/** Number of writes that triggers the sync earlier. Until then each write has a journal file of its own. */
const CONFIRM_WRITES = 8;

/** A write that was already acknowledged and is not yet durable without its journal. */
export interface UnconfirmedWrite {
  journal: string;
  texts: readonly KeptText[];
  transaction: FinishedTransaction;
  /** Folders with new names that are not synced yet. */
  folders: readonly string[];
}

/**
 * Syncs names and snapshots after the call has returned, several writes at a time. An acknowledged write is durable
 * although only its journal may be on the disk: the new text was synced, under whatever name, before it replaced the
 * old one, and the journal holds the text before and (`redo`) the new one. If the process is killed, the system still
 * has all of it; after a power cut `recover` repeats the write. The journals stay until the sync.
 */
export interface WriteConfirmation {
  add(write: UnconfirmedWrite): void;
  /**
   * Starts or schedules the sync of the writes so far. What a later call may look up by its key is stored at once, and that
   * starts before such a call can come.
   */
  schedule(key: string | undefined): void;
  /** Syncs the writes so far, if there were any; never rejects. */
  run(): Promise<void>;
}

/** `onAbandoned`: the sync failed; recovery has to run before the next write. */
export function createWriteConfirmation(ports: {
  journal: WriteJournal;
  snapshots: SnapshotStore;
  recorder?: TransactionRecorder;
  onAbandoned: () => void;
}): WriteConfirmation {
  const { journal, snapshots, recorder } = ports;
  const unconfirmed: UnconfirmedWrite[] = [];
  const queue = createSerialQueue();
  let timer: NodeJS.Timeout | undefined;
  /** Whether there is anything to sync or to prune: a session that only reads must not read all snapshots at its end. */
  let isDue = false;

  async function confirm(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (!isDue) return;
    isDue = false;
    // The next write prunes what this call missed.
    await snapshots.prune().catch(() => undefined);
    const writes = unconfirmed.splice(0);
    try {
      await Promise.all([
        ...[...new Set(writes.flatMap(({ folders }) => folders))].map(syncNames),
        snapshots.confirm(writes.flatMap(({ texts }) => texts)),
      ]);
      // Before the journals are freed, so that a crash in between leaves them to the recovery.
      await recorder?.record(writes.map(({ transaction }) => transaction));
      for (const { journal: name } of writes) await journal.close(name);
    } catch {
      // The journals still hold all that is needed; the next write tries again.
      for (const { journal: name } of writes) journal.abandon(name);
      ports.onAbandoned();
    }
  }

  const run = () => queue.run(confirm);

  return {
    add(write) {
      isDue = true;
      recorder?.add(write.transaction);
      unconfirmed.push(write);
    },
    schedule(key) {
      isDue = true;
      if (key !== undefined || unconfirmed.length >= CONFIRM_WRITES) void run();
      else timer ??= setTimeout(() => void run(), CONFIRM_MS);
    },
    run,
  };
}

async function syncNames(absolute: string): Promise<void> {
  await syncFolder(absolute).catch((error: unknown) => {
    if (!isMissing(error)) throw error; // A folder that is gone has no names to sync.
  });
}
