import { createSerialQueue } from '../../shared/async.ts';

/**
 * The user's actions on the conversation and the proposal of one game. An action that checks the state of both, and then
 * awaits, must not overlap with another.
 */
export interface ActionQueue {
  /** Runs one user action at a time, so that a double click decides once. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Runs an action that starts a turn. `work` receives what cancels the turn, also while the action is queued. */
  start<T>(work: (stop: AbortController) => Promise<T>): Promise<T>;
  /** Cancels every turn requested so far, and none requested later. */
  cancelStarts(): void;
  /** Resolves when every action requested so far has ended; never rejects. */
  idle(): Promise<void>;
}

export function createActionQueue(): ActionQueue {
  const queue = createSerialQueue();
  /** Requested turns that have not started. */
  const starts = new Set<AbortController>();
  return {
    run: queue.run,
    start(work) {
      const stop = new AbortController();
      starts.add(stop);
      return queue.run(() => work(stop)).finally(() => starts.delete(stop));
    },
    cancelStarts() {
      for (const stop of starts) stop.abort();
    },
    idle: queue.idle,
  };
}
