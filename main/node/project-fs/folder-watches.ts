import { type FSWatcher, readFileSync, statfsSync, watch } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long enough to gather the changes of one save or one unpacked folder, short enough to seem immediate. */
const QUIET_MS = 80;
/** Maximum delay of a report while a tool keeps writing. */
const MAX_DELAY_MS = 500;
/** Interval between two checks where changes are not reported. */
const POLL_MS = 2_000;
/** Maximum number of watched folders; systems allow 8,192 watches and more for all programs of a user. */
const MAX_FOLDERS = 4_096;
/** Beyond this many unread reports the system drops some, unless it is configured otherwise. */
const QUEUE_LENGTH = 16_384;
/** Linux file systems of local disks and memory, by their magic numbers: only there all changes are reported. */
const LOCAL = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
  0xca451a4e, // bcachefs
]);

/** Watches of folders, each reporting changes of the names directly in it. */
export interface FolderWatches {
  add(folder: string): void;
  remove(folder: string): void;
  /**
   * Waits until every report of a change made before the call was processed. Resolves to false where reports may be
   * missing: on systems other than Linux they are late, on network drives absent, and a full queue drops some.
   */
  isComplete(): Promise<boolean>;
  /** Returns whether `isComplete` is expected to succeed. */
  isReliable(): boolean;
  /** Calls the listener once no change was reported for a moment. */
  notifyLater(listener: () => void): void;
  /** Calls the listener at intervals where changes are not reported. */
  notifyAtIntervals(listener: () => void): void;
  reset(): void;
  close(): void;
}

/**
 * Creates the watches. `top` is the folder that contains all others. `onEvent` receives the folder, and the name in it
 * where the system reports it.
 */
export function createFolderWatches(
  top: string,
  { onEvent }: { onEvent: (folder: string, name: string | null) => void },
): FolderWatches {
  const watchers = new Map<string, FSWatcher>();
  const queueLength = readQueueLength();
  let isReliable = process.platform === 'linux' && isLocal(top);
  let events = 0;
  let quiet: NodeJS.Timeout | undefined;
  let longest: NodeJS.Timeout | undefined;
  let polling: NodeJS.Timeout | undefined;
  let hint: FSWatcher | undefined;

  function stopWatching(): void {
    isReliable = false;
    closeAll();
  }

  function closeAll(): void {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  }

  return {
    add(folder) {
      if (!isReliable) return;
      if (watchers.size >= MAX_FOLDERS) return stopWatching();
      try {
        const watcher = watch(folder, { persistent: false }, (_, name) => {
          events += 1;
          onEvent(folder, name);
        });
        watcher.on('error', stopWatching);
        watchers.set(folder, watcher);
      } catch {
        // No watches left, or the folder was removed meanwhile.
        stopWatching();
      }
    },

    remove(folder) {
      watchers.get(folder)?.close();
      watchers.delete(folder);
    },

    async isComplete() {
      // The first turn may be the current one, which may have polled the system already.
      await nextTurn();
      await nextTurn();
      const wasFull = events >= queueLength / 2;
      events = 0;
      return isReliable && !wasFull;
    },

    isReliable: () => isReliable,

    notifyLater(listener) {
      const notify = () => {
        clearTimeout(quiet);
        clearTimeout(longest);
        longest = undefined;
        listener();
      };
      clearTimeout(quiet);
      quiet = setTimeout(notify, QUIET_MS).unref();
      longest ??= setTimeout(notify, MAX_DELAY_MS).unref();
    },

    notifyAtIntervals(listener) {
      if (isReliable || polling || hint) return;
      try {
        if (process.platform === 'linux') throw new Error('Whole trees are not watched here.');
        hint = watch(top, { persistent: false, recursive: true }, () => onEvent(top, null));
        hint.on('error', () => undefined);
      } catch {
        polling = setInterval(listener, POLL_MS).unref();
      }
    },

    reset() {
      closeAll();
      events = 0;
      isReliable = process.platform === 'linux' && isLocal(top);
    },

    close() {
      for (const timer of [quiet, longest, polling]) clearTimeout(timer);
      hint?.close();
      closeAll();
      isReliable = false;
    },
  };
}

function isLocal(folder: string): boolean {
  try {
    return LOCAL.has(statfsSync(folder).type);
  } catch {
    return false; // Removed, or access denied.
  }
}

function readQueueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || QUEUE_LENGTH;
  } catch {
    return QUEUE_LENGTH;
  }
}
