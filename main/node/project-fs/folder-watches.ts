import { type FSWatcher, watch } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readQueueLength, reportsAllChanges } from './watcher/inotify.ts';
import { createIntervalWatch } from './watcher/interval-watch.ts';
import { createQuietTimer } from './watcher/quiet-timer.ts';

/** Maximum number of watched folders; systems allow 8,192 watches and more for all programs of a user. */
const MAX_FOLDERS = 4_096;

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
  const quiet = createQuietTimer();
  const intervals = createIntervalWatch(top, () => onEvent(top, null));
  let isReliable = reportsAllChanges(top);
  let events = 0;

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

    notifyLater: quiet.restart,

    notifyAtIntervals(listener) {
      if (!isReliable) intervals.start(listener);
    },

    reset() {
      closeAll();
      events = 0;
      isReliable = reportsAllChanges(top);
    },

    close() {
      quiet.stop();
      intervals.stop();
      closeAll();
      isReliable = false;
    },
  };
}
