/** How long the user keeps the window where no turn of a conversation runs: another program moved it. */
const HOLD_TIME_MS = 300_000;

/** Decides when the window that the user took over is given back to the assistant. */
export interface WindowHold {
  /** Says whether a turn of the conversation runs; may be repeated. */
  setWorking(isWorking: boolean): void;
  /** Says whether the user holds the window; may be repeated. */
  setHeld(isHeld: boolean): void;
}

/** Calls `release` when a turn ends or the next one begins, and where none runs after five minutes. */
export function createWindowHold(release: () => void): WindowHold {
  let isWorking = false;
  let isHeld = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    setWorking(isNow) {
      if (isNow === isWorking) return;
      isWorking = isNow;
      if (isHeld) release();
    },
    setHeld(isNow) {
      if (isNow === isHeld) return;
      isHeld = isNow;
      clearTimeout(timer);
      if (isHeld && !isWorking) timer = setTimeout(release, HOLD_TIME_MS);
    },
  };
}
