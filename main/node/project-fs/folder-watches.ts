import { type FSWatcher, readFileSync, statfsSync, watch } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long enough to gather what one save or one unpacked folder causes, short enough to feel at once. */
const QUIET_MS = 80;
/** A tool that never stops writing must not keep everyone waiting. */
const LONGEST_MS = 500;
/** Between two looks where changes are not reported. */
const POLL_MS = 2_000;
/** So many folders are watched; systems have 8,192 watches and more for all programs of a user. */
const MOST_FOLDERS = 4_096;
/** The system drops reports beyond this many that nobody has taken yet, unless it says otherwise. */
const QUEUE_LENGTH = 16_384;
/** Linux file systems of this machine's own disks and memory, by their magic numbers: only there all changes are reported. */
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

/** Watches of folders, each reporting what happens to the names directly in it. */
export interface FolderWatches {
  add(folder: string): void;
  remove(folder: string): void;
  /**
   * Takes in every report of what was done before the call. False where reports may lack something: on other systems than
   * Linux they come late, on network drives never, and a full queue drops some.
   */
  isComplete(): Promise<boolean>;
  /** Whether `isComplete` is to be expected. */
  isReliable(): boolean;
  /** Calls back once it has been quiet for a moment. */
  tellLater(listener: () => void): void;
  /** Calls back now and then, where no report would. */
  tellAtIntervals(listener: () => void): void;
  reset(): void;
  close(): void;
}

/** `top` is the folder that all others lie in. `onEvent` gets the folder, and the name in it where the system says it. */
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

  function giveUp(): void {
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
      if (watchers.size >= MOST_FOLDERS) return giveUp();
      try {
        const watcher = watch(folder, { persistent: false }, (_, name) => {
          events += 1;
          onEvent(folder, name);
        });
        watcher.on('error', giveUp);
        watchers.set(folder, watcher);
      } catch {
        // No watches left, or a folder that is gone again.
        giveUp();
      }
    },

    remove(folder) {
      watchers.get(folder)?.close();
      watchers.delete(folder);
    },

    async isComplete() {
      // The first may end in the turn that is under way, which may have asked the system already.
      await nextTurn();
      await nextTurn();
      const wasFull = events >= queueLength / 2;
      events = 0;
      return isReliable && !wasFull;
    },

    isReliable: () => isReliable,

    tellLater(listener) {
      const tell = () => {
        clearTimeout(quiet);
        clearTimeout(longest);
        longest = undefined;
        listener();
      };
      clearTimeout(quiet);
      quiet = setTimeout(tell, QUIET_MS).unref();
      longest ??= setTimeout(tell, LONGEST_MS).unref();
    },

    tellAtIntervals(listener) {
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
    return false; // Gone, or closed to us.
  }
}

function readQueueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || QUEUE_LENGTH;
  } catch {
    return QUEUE_LENGTH;
  }
}
