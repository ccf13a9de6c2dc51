import { createSerialQueue } from '../../../shared/async.ts';
import { createQuietTimer } from './watcher/quiet-timer.ts';
import { enterFolders, processTouched } from './watcher/watch-folders.ts';
import { createWatcherState, type FileWatcherOptions } from './watcher/watcher-state.ts';

/**
 * Creates a watcher that reports changes in a project, whatever program made them. `root` is the real folder; paths are
 * reported relative to it. One watch for each folder: a watch for each file would take seconds to create and use most of
 * the system's watches. Links are not followed: their targets do not belong to the project.
 */
export function createFileWatcher(
  root: string,
  options: FileWatcherOptions,
): { ready: Promise<void>; close(): Promise<void> } {
  const quiet = createQuietTimer();
  const state = createWatcherState(root, options, () => quiet.restart(() => void queue.run(notify)));
  const { changed, ends, folders } = state;
  const queue = createSerialQueue();
  const ready = queue.run(() => enterFolders(state, [root], false));

  async function notify(): Promise<void> {
    await processTouched(state);
    if (changed.size === 0 || ends.signal.aborted) return;
    const paths = [...changed].sort();
    changed.clear();
    options.onPaths(paths);
  }

  return {
    ready,
    async close() {
      ends.abort();
      await queue.idle();
      quiet.stop();
      for (const one of folders.values()) one.watcher?.close();
      folders.clear();
    },
  };
}
