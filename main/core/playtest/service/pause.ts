import { withResolvers } from '../../../../shared/async.ts';

/** Pauses work between two of its parts. */
export interface Pause {
  pause(): void;
  resume(): void;
  /** Awaited by the work before each part. */
  wait(): Promise<void>;
  status(): 'running' | 'pausing' | 'paused';
  /** For how long the work has waited in total, in milliseconds. */
  lasted(): number;
}

export function createPause({ now, onChange }: { now: () => number; onChange: () => void }): Pause {
  let isWanted = false;
  let waiting: { since: number; go: () => void } | null = null;
  let before = 0;
  return {
    pause() {
      if (isWanted) return;
      isWanted = true;
      onChange();
    },
    resume() {
      if (!isWanted) return;
      isWanted = false;
      if (waiting) {
        before += now() - waiting.since;
        waiting.go();
        waiting = null;
      }
      onChange();
    },
    async wait() {
      if (!isWanted) return;
      const { promise, resolve } = withResolvers<void>();
      waiting = { since: now(), go: resolve };
      onChange();
      await promise;
    },
    status: () => (waiting ? 'paused' : isWanted ? 'pausing' : 'running'),
    lasted: () => before + (waiting ? now() - waiting.since : 0),
  };
}
