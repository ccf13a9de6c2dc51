import { enterFolders, processTouched } from './watcher/watch-folders.ts';
import { createWatcherState, type FileWatcherOptions } from './watcher/watcher-state.ts';

/** Long enough to gather the changes of one save or one unpacked folder, short enough to seem immediate. */
const QUIET_MS = 80;
/** Maximum delay of a report while a tool keeps writing. */
const MAX_DELAY_MS = 500;

/**
 * Creates a watcher that reports changes in a project, whatever program made them. `root` is the real folder; paths are
 * reported relative to it. One watch for each folder: a watch for each file would take seconds to create and use most of
 * the system's watches. Links are not followed: their targets do not belong to the project.
 */
export function createFileWatcher(
  root: string,
  options: FileWatcherOptions,
): { ready: Promise<void>; close(): Promise<void> } {
  const state = createWatcherState(root, options, notifyLater);
  const { changed, ends, folders } = state;
  let quiet: NodeJS.Timeout | undefined;
  let longest: NodeJS.Timeout | undefined;
  const ready = enterFolders(state, [root], false);
  let queue: Promise<void> = ready;

  function notifyLater(): void {
    clearTimeout(quiet);
    quiet = setTimeout(notify, QUIET_MS);
    longest ??= setTimeout(notify, MAX_DELAY_MS);
  }

  function notify(): void {
    clearTimeout(quiet);
    clearTimeout(longest);
    longest = undefined;
    queue = queue
      .then(() => processTouched(state))
      .then(() => {
        if (changed.size === 0 || ends.signal.aborted) return;
        const paths = [...changed].sort();
        changed.clear();
        options.onPaths(paths);
      });
  }

  return {
    ready,
    async close() {
      ends.abort();
      await queue;
      clearTimeout(quiet);
      clearTimeout(longest);
      for (const one of folders.values()) one.watcher?.close();
      folders.clear();
    },
  };
}
