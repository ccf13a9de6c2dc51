import path from 'node:path';
import type { FileInfo, ProjectChanges } from '../../core/ports/reader.ts';
import { createFolderWatches } from './folder-watches.ts';
import { isFile, listFolder, toPaths } from './tree/read-tree.ts';
import { keepReport, refreshTree } from './tree/refresh-tree.ts';
import { createTreeState, TOP, type TreeState } from './tree/tree-state.ts';

/**
 * A cache of the entries of the folder `game`, updated at each call: no answer lacks a change made on the disk before the
 * call. Where the system reports every change (see `createFolderWatches`), pending reports are applied first; elsewhere
 * every file is checked. Nothing is read before the first call.
 */
export interface ProjectTree {
  /** Does what `Reader.list` does, for a folder in `game`; null where the disk has to be read. */
  list(folder: string, options: { recursive: boolean; unportable: boolean }): Promise<FileInfo[] | null>;
  /** Does what `Reader.changes` does; null where the changes are not known. */
  changes(since: number | null): Promise<ProjectChanges | null>;
  /** Reports changed paths, debounced. Starts watching the game. */
  watch(listener: (paths: string[]) => void): () => void;
  close(): void;
}

/** Creates the cache. `root` is the project's real folder. */
export function createProjectTree(root: string, options: { watches?: typeof createFolderWatches } = {}): ProjectTree {
  const watches = (options.watches ?? createFolderWatches)(path.join(root, TOP), {
    onEvent(folder, name) {
      keepReport(state, folder, name);
      watches.notifyLater(notify);
    },
  });
  const state = createTreeState(root, watches);
  const runExclusive = createUpdateQueue(state);
  const { log } = state;
  const listeners = new Set<(paths: string[]) => void>();
  let notified = 0;

  function notify(): void {
    void runExclusive(() => {
      const paths = log.since(notified) ?? toPaths(state);
      notified = log.now;
      if (paths.length > 0) for (const listener of listeners) listener(paths.sort());
    });
  }

  return {
    async list(folder, options) {
      // Where every file would have to be checked, listing the one folder is less work.
      if (!watches.isReliable()) return null;
      return runExclusive((isKnown) => (isKnown ? listFolder(state, folder, options) : null));
    },

    changes: (earlier) =>
      runExclusive((isKnown) => {
        if (!isKnown) return null;
        const paths = earlier === null ? null : log.since(earlier);
        const changes = paths?.map((changed) => ({ path: changed, isFile: isFile(state, changed) })) ?? null;
        return { now: log.now, changes };
      }),

    watch(listener) {
      listeners.add(listener);
      void runExclusive(() => {
        notified = Math.max(notified, log.now);
        if (listeners.size > 0) watches.notifyAtIntervals(notify);
      });
      return () => {
        listeners.delete(listener);
      };
    },

    close() {
      state.isClosed = true;
      listeners.clear();
      watches.close();
    },
  };
}

/** Returns a queue that updates the cache before each work; calls that wait for the same update share it. */
function createUpdateQueue(state: TreeState): <T>(work: (isKnown: boolean) => T) => Promise<T> {
  let queue: Promise<unknown> = Promise.resolve();
  /** The next update, until it starts. */
  let next: Promise<boolean> | undefined;
  return (work) => {
    if (next === undefined) {
      next = queue.then(() => {
        next = undefined;
        return refreshTree(state);
      });
      queue = next;
    }
    return next.then(work);
  };
}
