/** Long enough to gather the changes of one save or one unpacked folder, short enough to seem immediate. */
const QUIET_MS = 80;
/** Maximum delay of a report while a tool keeps writing. */
const MAX_DELAY_MS = 500;

/** Calls a listener once no change was reported for a moment. */
export interface QuietTimer {
  restart(listener: () => void): void;
  stop(): void;
}

export function createQuietTimer(): QuietTimer {
  let quiet: NodeJS.Timeout | undefined;
  let longest: NodeJS.Timeout | undefined;
  return {
    restart(listener) {
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
    stop() {
      clearTimeout(quiet);
      clearTimeout(longest);
    },
  };
}
