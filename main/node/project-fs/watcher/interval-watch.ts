import { type FSWatcher, watch } from 'node:fs';

/** Interval between two checks where changes are not reported. */
const POLL_MS = 2_000;

/** Replaces complete reports: watches the whole tree where the system can, else polls. */
export interface IntervalWatch {
  /** Starts once. Without a watch of the whole tree, `onInterval` is called at intervals. */
  start(onInterval: () => void): void;
  stop(): void;
}

/** Creates the watch. `onHint` receives each report about the tree, which may be incomplete. */
export function createIntervalWatch(top: string, onHint: () => void): IntervalWatch {
  let polling: NodeJS.Timeout | undefined;
  let hint: FSWatcher | undefined;
  return {
    start(onInterval) {
      if (polling || hint) return;
      try {
        if (process.platform === 'linux') throw new Error('Whole trees are not watched here.');
        hint = watch(top, { persistent: false, recursive: true }, onHint);
        hint.on('error', () => undefined);
      } catch {
        polling = setInterval(onInterval, POLL_MS).unref();
      }
    },
    stop() {
      clearInterval(polling);
      hint?.close();
    },
  };
}
